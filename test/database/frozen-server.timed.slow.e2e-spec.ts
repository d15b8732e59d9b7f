import { setTimeout as sleep } from 'node:timers/promises';
import { readDatabase } from '../../src/config/settings.js';
import { dialectFor } from '../../src/database/dialect-for.js';
import { execute } from '../../src/database/statements/statement.js';
import { Writer } from '../../src/database/statements/writer.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { Child, production, SECRETS } from '../support/child-service.js';
import { OwnServer } from '../support/own-server.js';
import { SwitchedProxy } from '../support/switched-proxy.js';

const FROZEN_MS = 150_000;
const CLIENTS = 64;
const PAUSE_MS = 200;
/**
 * A refusal may take so long, in milliseconds over HTTP, seen from a process beside. The quickest tenth has to keep it,
 * since a machine that does other things makes them longer; the median is printed.
 */
const REFUSAL_MS = 5;
/** Longer than this no request waits, whatever the server does. */
const LONGEST_MS = 10_000;
/** All is well so soon after the server goes on. */
const BACK_MS = 5_000;
/** Two pools of ten, and two connections beside them. */
const MOST_CONNECTIONS = 22;
/** More than there could be if each client had waited three seconds for each answer. */
const FEWEST_REFUSALS = (2 * CLIENTS * FROZEN_MS) / 3_000;

interface Seen {
  served: number;
  refused: number;
  longestMs: number;
  readonly other: string[];
  /** Those of the refused that were not kept waiting: the server was known to be gone. */
  readonly refusedAtOnceMs: number[];
}

describe('A database server that hangs for minutes', () => {
  let server: OwnServer;
  let service: Child;
  let address: string;

  beforeAll(async () => {
    server = await OwnServer.start();
    const migration = new Child('cli.js', ['migrate'], production(server));
    expect(await migration.ended).toMatchObject({ code: 0 });
    service = new Child('main.js', [], { ...production(server), RATE_LIMITS: 'off' });
    address = `${await service.address()}/api/cms/post`;
  });

  afterAll(async () => {
    server.thaw();
    await service.kill('SIGTERM');
    await server.stop();
  });

  async function ask(seen: Seen, isWriting: boolean): Promise<void> {
    const asked = performance.now();
    const answer = await fetch(address, {
      headers: { Authorization: `Bearer ${SECRETS.token}`, 'Content-Type': 'application/json' },
      ...(isWriting ? { method: 'POST', body: JSON.stringify({ title: 'A post' }) } : {}),
    });
    await answer.arrayBuffer();
    seen.longestMs = Math.max(seen.longestMs, performance.now() - asked);
    if (answer.ok) seen.served += 1;
    else if (answer.status !== 503) seen.other.push(String(answer.status));
    else {
      seen.refused += 1;
      if (answer.headers.get('retry-after') === '2') seen.refusedAtOnceMs.push(performance.now() - asked);
    }
  }

  async function keepAsking(seen: Seen, isWriting: boolean, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await ask(seen, isWriting);
      await sleep(PAUSE_MS);
    }
  }

  async function mostConnections(ms: number): Promise<number> {
    let most = 0;
    for (const end = performance.now() + ms; performance.now() < end;) {
      most = Math.max(most, await server.connections());
      await sleep(100);
    }
    return most;
  }

  it('has few connections, its clients are refused at once, and all of them are served after it goes on', async () => {
    const seen: Seen = { served: 0, refused: 0, longestMs: 0, other: [], refusedAtOnceMs: [] };
    const end = new AbortController();
    const clients = Array.from({ length: CLIENTS }, (_, n) => keepAsking(seen, n % 2 === 0, end.signal));
    await sleep(2_000);
    server.freeze();

    const whileFrozen = await mostConnections(FROZEN_MS);
    const times = seen.refusedAtOnceMs.toSorted((a, b) => a - b);
    const [quickMs, medianMs] = [0.1, 0.5].map((share) => times[Math.floor(times.length * share)] ?? NaN);
    const thawed = performance.now();
    server.thaw();
    const before = seen.served;
    while (seen.served < before + CLIENTS) await sleep(20);
    const backMs = Math.round(performance.now() - thawed);
    // By now the server has seen that those it was left with are over.
    const afterwards = await mostConnections(15_000);
    end.abort();
    await Promise.all(clients);

    const { refused, longestMs } = seen;
    const figures = { whileFrozen, afterwards, backMs, refused, longestMs, quickMs, medianMs };
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    expect(whileFrozen).toBeLessThanOrEqual(MOST_CONNECTIONS);
    expect(afterwards).toBeLessThanOrEqual(MOST_CONNECTIONS);
    expect(quickMs).toBeLessThan(REFUSAL_MS);
    expect(longestMs).toBeLessThan(LONGEST_MS);
    expect(backMs).toBeLessThan(BACK_MS);
    expect(seen.other).toEqual([]);
    expect(times.length).toBeGreaterThan(FEWEST_REFUSALS);
    expect(await Promise.all(Array.from({ length: CLIENTS }, async () => (await fetch(address)).status))).not.toContain(
      503,
    );
  });
});

/** What a name or a proxy in front of two servers does: it leads to the one that is not read_only. */
describe('Two servers behind one address, of which one is read_only', () => {
  let servers: readonly [OwnServer, OwnServer];
  let address: SwitchedProxy;
  let writer: Writer;
  let units: UnitOfWork;

  beforeAll(async () => {
    servers = [await OwnServer.start(), await OwnServer.start()];
    for (const server of servers)
      await server.as('root', 'CREATE TABLE cms.things (id INTEGER PRIMARY KEY) ENGINE=InnoDB');
    await servers[1].as('root', 'SET GLOBAL read_only = 1');
    address = await SwitchedProxy.start(servers[0].url);
    writer = await Writer.open(dialectFor(readDatabase('test', { DATABASE_URL: address.url })));
    units = new UnitOfWork(writer);
  });

  afterAll(async () => {
    await writer.onApplicationShutdown();
    await address.stop();
    for (const server of servers) await server.stop();
  });

  const write = (id: number) => units.run((manager) => execute(manager, 'INSERT INTO things (id) VALUES (?)', [id]));
  const rows = async (): Promise<number[]> =>
    Promise.all(
      servers.map(async (server) => ((await server.as('app', 'SELECT id FROM cms.things')) as unknown[]).length),
    );

  let id = 0;
  /** Writes until twenty are acknowledged. */
  const writeTwenty = async (): Promise<void> => {
    for (let written = 0; written < 20; id += 1) {
      written += await write(id).then(
        () => 1,
        () => 0,
      );
    }
  };

  it('take each acknowledged write once, on the one that is not, however often they change', async () => {
    let [writable, other] = servers;
    const expected = new Map([writable, other].map((server) => [server, 0]));
    for (let turn = 0; turn < 6; turn += 1) {
      await writeTwenty();
      expected.set(writable, (expected.get(writable) ?? 0) + 20);
      expect(await rows()).toEqual(servers.map((server) => expected.get(server)));
      await writable.as('root', 'SET GLOBAL read_only = 1');
      await other.as('root', 'SET GLOBAL read_only = 0');
      address.switchTo(other.url);
      [writable, other] = [other, writable];
    }
  });
});
