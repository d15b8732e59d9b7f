import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { DomainError } from '../../common/errors/domain-error.js';
import { openDataSource } from '../dialect/data-source.js';
import { SqliteDialect } from '../sqlite/sqlite-dialect.js';
import { ReadingThreads } from './reading-threads.js';

/** Counts for some seconds, in one step that nothing can interrupt. */
const SLOW =
  'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8000000) SELECT COUNT(*) AS n FROM n';

/** So long that no machine is too busy. */
const PATIENT = { waitingMs: 120_000, deadlineMs: 120_000 };

describe('Threads that read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cms-thread-'));
  const file = join(folder, 'cms.sqlite');
  let threads: ReadingThreads;

  beforeAll(async () => {
    const source = await openDataSource(new SqliteDialect(file).writerOptions());
    await source.query('CREATE TABLE things (n INTEGER)');
    await source.query('INSERT INTO things VALUES (1), (2)');
    await source.destroy();
  });

  afterEach(() => threads.stop());
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const count = () => threads.run<{ n: number }>('SELECT COUNT(*) AS n FROM things');
  /** A read that has a thread for as long as the test wants, and is answered then. */
  const held = () => {
    const flag = new SharedArrayBuffer(4);
    const code = 'export const run = (_, flag) => Atomics.wait(new Int32Array(flag), 0, 0)';
    const result = threads.call<string>(`data:text/javascript,${encodeURIComponent(code)}`, flag);
    return {
      end: () => {
        Atomics.store(new Int32Array(flag), 0, 1);
        Atomics.notify(new Int32Array(flag), 0);
        return result;
      },
    };
  };
  const errorOf = (work: Promise<unknown>): Promise<DomainError | null> =>
    work.then(
      () => null,
      (error: unknown) => error as DomainError,
    );

  it('answer, and leave this thread free meanwhile', async () => {
    threads = new ReadingThreads(file, 'search', PATIENT);
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 5);

    const rows = await threads.run<{ n: number }>(SLOW);
    clearInterval(timer);

    expect(rows).toEqual([{ n: 8_000_000 }]);
    expect(turns).toBeGreaterThan(10);
    expect(await count()).toEqual([{ n: 2 }]);
  });

  it('are several: a short read does not wait for a long one', async () => {
    threads = new ReadingThreads(file, 'search', { ...PATIENT, size: 2 });
    const long = held();

    expect(await count()).toEqual([{ n: 2 }]);
    expect(['ok', 'not-equal']).toContain(await long.end());
  });

  it('cannot write', async () => {
    threads = new ReadingThreads(file, 'search', PATIENT);

    const error = await errorOf(threads.run('DELETE FROM things'));

    expect(error?.message).toMatch(/readonly/);
    expect(await count()).toEqual([{ n: 2 }]);
  });

  it('refuse when too many wait', async () => {
    threads = new ReadingThreads(file, 'search', { ...PATIENT, waiting: 2 });

    const errors = await Promise.all(Array.from({ length: 6 }, () => errorOf(count())));

    expect(errors.map((error) => error?.error ?? null)).toEqual([null, null, null, ...Array(3).fill('overloaded')]);
    expect(errors[5]?.headers).toEqual({ 'Retry-After': '1' });
  });

  it('refuse what has waited for too long', async () => {
    threads = new ReadingThreads(file, 'search', { ...PATIENT, waitingMs: 20 });
    const long = held();

    const error = await errorOf(count());

    expect([error?.error, error?.headers]).toEqual(['overloaded', { 'Retry-After': '1' }]);
    expect(['ok', 'not-equal']).toContain(await long.end());
  });

  it('run a program of a module, and report its failure', async () => {
    threads = new ReadingThreads(file, 'search', PATIENT);
    const module = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
    const counting =
      "export const run = ({ prepare }, what) => prepare('SELECT COUNT(*) FROM ' + what).raw().all()[0][0]";

    expect(await threads.call<number>(module(counting), 'things')).toBe(2);
    await expect(threads.call(module(counting), 'nowhere')).rejects.toThrow('no such table: nowhere');
    expect(await threads.call<number>(module(counting), 'things')).toBe(2);
  });

  it('give up what takes too long, and work again afterwards', async () => {
    threads = new ReadingThreads(file, 'search', { ...PATIENT, deadlineMs: 250 });

    const error = await errorOf(threads.run(SLOW));
    expect(error?.error).toBe('overloaded');
    expect(error?.headers).toEqual({ 'Retry-After': '1' });

    let last = await errorOf(count());
    for (let tries = 0; last && tries < 1_000; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      last = await errorOf(count());
    }
    expect(last).toBeNull();
  });

  it('are started again after they have died', async () => {
    threads = new ReadingThreads(file, 'search', PATIENT);
    await count();

    const pending = errorOf(threads.run(SLOW));
    const { threads: all } = threads as unknown as { threads: { connection: { worker: Worker } }[] };
    await all[0]?.connection.worker.terminate();

    expect((await pending)?.error).toBe('overloaded');
    expect(await count()).toEqual([{ n: 2 }]);
  });

  it('say that they are overloaded where their file cannot be opened', async () => {
    threads = new ReadingThreads(join(folder, 'nothing.sqlite'), 'search');

    expect((await errorOf(count()))?.error).toBe('overloaded');
  });
});
