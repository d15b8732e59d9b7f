import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { DomainError } from '../../common/errors/domain-error.js';
import { openDataSource } from '../../database/data-source.js';
import { SqliteDialect } from '../../database/dialect/sqlite.js';
import { ReadingThread } from './reading-thread.js';

/** Counts for some seconds, in one step that nothing can interrupt. */
const SLOW =
  'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8000000) SELECT COUNT(*) AS n FROM n';

describe('A thread that reads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cms-thread-'));
  const file = join(folder, 'cms.sqlite');
  let thread: ReadingThread;

  beforeAll(async () => {
    const source = await openDataSource(new SqliteDialect(file).writerOptions());
    await source.query('CREATE TABLE things (n INTEGER)');
    await source.query('INSERT INTO things VALUES (1), (2)');
    await source.destroy();
  });

  afterEach(() => thread.stop());
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const count = () => thread.run(({ select }) => select<{ n: number }>('SELECT COUNT(*) AS n FROM things'));
  const errorOf = (work: Promise<unknown>): Promise<DomainError | null> =>
    work.then(
      () => null,
      (error: unknown) => error as DomainError,
    );

  it('answers, and leaves this thread free meanwhile', async () => {
    thread = new ReadingThread(file);
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 5);

    const rows = await thread.run(({ select }) => select<{ n: number }>(SLOW));
    clearInterval(timer);

    expect(rows).toEqual([{ n: 8_000_000 }]);
    expect(turns).toBeGreaterThan(10);
    expect(await count()).toEqual([{ n: 2 }]);
  });

  it('cannot write', async () => {
    thread = new ReadingThread(file);

    const error = await errorOf(thread.run(({ select }) => select('DELETE FROM things')));

    expect(error?.message).toMatch(/readonly/);
    expect(await count()).toEqual([{ n: 2 }]);
  });

  it('refuses when too many wait', async () => {
    thread = new ReadingThread(file, { waiting: 2, deadlineMs: 5_000 });

    const errors = await Promise.all(Array.from({ length: 6 }, () => errorOf(count())));

    expect(errors.map((error) => error?.error ?? null)).toEqual([null, null, null, ...Array(3).fill('overloaded')]);
    expect(errors[5]?.headers).toEqual({ 'Retry-After': '1' });
  });

  it('gives up what takes too long, and works again afterwards', async () => {
    thread = new ReadingThread(file, { waiting: 8, deadlineMs: 100 });

    const error = await errorOf(thread.run(({ select }) => select(SLOW)));
    expect(error?.error).toBe('overloaded');
    expect(error?.headers).toEqual({ 'Retry-After': '1' });

    let last = await errorOf(count());
    for (let tries = 0; last && tries < 200; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      last = await errorOf(count());
    }
    expect(last).toBeNull();
  });

  it('is started again after it has died', async () => {
    thread = new ReadingThread(file);
    await count();

    const pending = errorOf(thread.run(({ select }) => select(SLOW)));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { connection } = thread as unknown as { connection: { worker: Worker } };
    await connection.worker.terminate();

    expect((await pending)?.error).toBe('overloaded');
    expect(await count()).toEqual([{ n: 2 }]);
  });

  it('says that it is overloaded where its file cannot be opened', async () => {
    thread = new ReadingThread(join(folder, 'nothing.sqlite'));

    expect((await errorOf(count()))?.error).toBe('overloaded');
  });
});
