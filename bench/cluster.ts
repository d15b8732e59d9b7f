/**
 * Costs of a cluster in which several servers take writes: statements one by one instead of in one packet, and a lock that is
 * written instead of asked for. Over the driver alone, in turns, on the server that CLUSTER_URL names.
 *
 *   CLUSTER_URL=mysql://root@127.0.0.1:3306 npm run bench:cluster
 */
import mysql from 'mysql2/promise';
import { median } from './support/compare.js';

const ROUNDS = 9;
const ROUND_MS = 1_000;
const WRITERS = 8;
const URL_OF_SERVER = process.env.CLUSTER_URL ?? 'mysql://root@127.0.0.1:3306';
const DATABASE = `cms_bench_${process.pid}`;

type Unit = (connection: mysql.Connection, row: number) => Promise<unknown>;

/** As many statements as a create has, of rows as small as most of its rows. */
const WRITES = Array.from({ length: 7 }, () => "INSERT INTO written (n, body) VALUES (1, REPEAT('x', 200))");
const CREATE = ['START TRANSACTION', ...WRITES, 'COMMIT'];
const HOLD = 'SELECT held FROM held WHERE id = ? FOR UPDATE';
const WRITTEN_HOLD = 'UPDATE held SET held = held + 1 WHERE id = ?';

const UNITS: Readonly<Record<string, Unit>> = {
  'create, one packet': (connection) => connection.query(CREATE.join(';')),
  'create, single statements': async (connection) => {
    for (const sql of CREATE) await connection.query(sql);
  },
  'lock, asked for': (connection, row) => locked(connection, HOLD, row),
  'lock, written': (connection, row) => locked(connection, WRITTEN_HOLD, row),
};

async function locked(connection: mysql.Connection, hold: string, row: number): Promise<void> {
  await connection.query('START TRANSACTION');
  await connection.query(hold, [row]);
  await connection.query('SELECT id, held FROM held WHERE id = ?', [row]);
  await connection.query("INSERT INTO written (n, body) VALUES (1, 'x')");
  await connection.query('COMMIT');
}

async function unitsInRound(connections: readonly mysql.Connection[], unit: Unit): Promise<number> {
  const end = performance.now() + ROUND_MS;
  let done = 0;
  await Promise.all(
    connections.map(async (connection, row) => {
      while (performance.now() < end) {
        await unit(connection, row + 1);
        done += 1;
      }
    }),
  );
  return (done * 1_000) / ROUND_MS;
}

async function run(): Promise<void> {
  const first = await mysql.createConnection(URL_OF_SERVER);
  await first.query(`CREATE DATABASE ${DATABASE}`);
  await first.query(`CREATE TABLE ${DATABASE}.written (id BIGINT AUTO_INCREMENT PRIMARY KEY, n INT, body TEXT)`);
  await first.query(`CREATE TABLE ${DATABASE}.held (id BIGINT PRIMARY KEY, held BIGINT NOT NULL)`);
  for (let row = 1; row <= WRITERS; row += 1) await first.query(`INSERT INTO ${DATABASE}.held VALUES (${row}, 0)`);
  const url = new URL(URL_OF_SERVER);
  url.pathname = `/${DATABASE}`;
  const connections = await Promise.all(
    Array.from({ length: WRITERS }, () => mysql.createConnection({ uri: url.href, multipleStatements: true })),
  );
  const rates = new Map(Object.keys(UNITS).map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, unit] of Object.entries(UNITS)) rates.get(name)?.push(await unitsInRound(connections, unit));
  }
  await Promise.all(connections.map((connection) => connection.end()));
  await first.query(`DROP DATABASE ${DATABASE}`);
  await first.end();
  for (const [name, all] of rates) {
    process.stdout.write(`${name}: ${Math.round(median(all))} units a second\n`);
  }
}

await run();
