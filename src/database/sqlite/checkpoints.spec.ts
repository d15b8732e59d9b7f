import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import pino from 'pino';
import type { DataSource } from 'typeorm';
import { createTestFile, type TestDatabase } from '../../../test/support/test-database.js';
import { openDataSource } from '../dialect/data-source.js';
import { SqliteDialect } from './sqlite-dialect.js';
import { execute } from '../statements/statement.js';
import { UnitOfWork } from '../units/unit-of-work.js';
import { Writer } from '../statements/writer.js';
import { Checkpoints } from './checkpoints.js';

const MIB = 1_048_576;
/** The bytes that one unit writes here. */
const UNIT_BYTES = MIB;
/** Units of that size together: more than a log may keep. */
const HUGE_UNIT = 140;
/** Writes of that size after which the log has begun anew on any disk. */
const MOST_WRITES = 500;
/** More than a log has that each commit of such a size writes back. */
const BOUND_BYTES = 96 * MIB;
const BY_COMMITS = 1_000;

/** The parts of it that a test has to reach. */
interface Inside {
  readonly thread: { readonly connection: { readonly worker: Worker } } | undefined;
}

describe('Checkpoints', () => {
  let database: TestDatabase;
  let file: string;
  let writer: Writer;
  let reader: DataSource;
  let units: UnitOfWork;
  let checkpoints: Checkpoints;
  let warnings: string[];

  beforeEach(async () => {
    database = createTestFile();
    file = database.address.kind === 'sqlite' ? database.address.file : '';
    const dialect = new SqliteDialect(file);
    writer = await Writer.open(dialect);
    await writer.source.query('CREATE TABLE things (id INTEGER PRIMARY KEY, bytes BLOB)');
    reader = await openDataSource(dialect.readerOptions());
    units = new UnitOfWork(writer);
    warnings = [];
    checkpoints = new Checkpoints(writer, pino({ level: 'warn' }, { write: (line: string) => warnings.push(line) }));
    checkpoints.onApplicationBootstrap();
  });

  afterEach(async () => {
    await checkpoints.onModuleDestroy();
    await reader.destroy();
    await writer.onApplicationShutdown();
    await database.drop();
  });

  const write = (count = 1) =>
    units.run((manager) =>
      execute(
        manager,
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO things (bytes) SELECT zeroblob(${UNIT_BYTES}) FROM n`,
        [count],
      ),
    );
  const logBytes = () => statSync(`${file}-wal`).size;
  const threadOf = () => (checkpoints as unknown as Inside).thread;
  const pragma = async (name: string): Promise<unknown> =>
    Object.values((await writer.source.query<object[]>(`PRAGMA ${name}`))[0] ?? {})[0];

  /** Waits for what the thread does by itself. */
  async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await isSo())) await sleep(5);
  }

  async function withThread(): Promise<void> {
    while (!threadOf()) {
      await write();
      await sleep(5);
    }
    await until(async () => (await pragma('wal_autocheckpoint')) === 0);
  }

  it('are left to commits as long as hardly anything is written', async () => {
    await units.run((manager) => execute(manager, 'INSERT INTO things (bytes) VALUES (NULL)'));
    await sleep(100);

    expect(threadOf()).toBeUndefined();
    expect(await pragma('wal_autocheckpoint')).toBe(BY_COMMITS);
  });

  it('are made by a thread where much is written, and by no commit', async () => {
    await withThread();
    await write(20);

    const [{ log } = { log: 0 }] = await writer.source.query<{ log: number }[]>('PRAGMA wal_checkpoint(NOOP)');
    expect(log).toBeGreaterThan(BY_COMMITS);
    await until(async () => {
      const [now] = await reader.query<{ log: number; checkpointed: number }[]>('PRAGMA wal_checkpoint(NOOP)');
      return now?.log === now?.checkpointed;
    });
    expect(await pragma('wal_autocheckpoint')).toBe(0);
    expect(await pragma('synchronous')).toBe(2);
  });

  it('have the log begin anew while writes never pause', async () => {
    await withThread();
    let writes = 0;

    // A write that makes the file no longer has gone to its beginning. How soon that is depends on the disk.
    for (let before = -1; before < logBytes() && writes < MOST_WRITES; writes += 1) {
      before = logBytes();
      await write();
    }

    expect(writes).toBeLessThan(MOST_WRITES);
    const [row] = await reader.query<{ n: number }[]>('SELECT COUNT(*) AS n FROM things');
    expect(row?.n).toBeGreaterThanOrEqual(writes);
  });

  it('give the room of a large unit back', async () => {
    await withThread();

    await write(HUGE_UNIT);

    expect(logBytes()).toBeGreaterThan(HUGE_UNIT * MIB);
    await until(() => logBytes() < MIB);
  });

  it('wait for a reader, and hold up no write for it', async () => {
    await withThread();
    const runner = reader.createQueryRunner();
    await writer.dialect.beginSnapshot(runner);
    await write(HUGE_UNIT);

    for (let n = 0; n < 20; n += 1) await write();

    expect(logBytes()).toBeGreaterThan(HUGE_UNIT * MIB);
    await writer.dialect.rollback(runner);
    await until(() => logBytes() < MIB);
  });

  it('are made by commits again when the thread has died', async () => {
    await withThread();

    await threadOf()?.connection.worker.terminate();
    await write();

    await until(async () => (await pragma('wal_autocheckpoint')) === BY_COMMITS);
    expect(threadOf()).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining('commits make them for a minute')]);
    for (let n = 0; n < 100; n += 1) await write();
    expect(logBytes()).toBeLessThan(BOUND_BYTES);
  });

  it('end with the service', async () => {
    await withThread();
    const worker = threadOf()?.connection.worker;
    let isEnded = false;
    worker?.once('exit', () => (isEnded = true));

    await checkpoints.onModuleDestroy();
    await write();

    expect(isEnded).toBe(true);
    expect(await pragma('wal_autocheckpoint')).toBe(BY_COMMITS);
  });
});
