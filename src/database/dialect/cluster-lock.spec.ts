import type { QueryRunner } from 'typeorm';
import { openTestDatabase, type OpenDatabase } from '../../../test/support/open-database.js';
import { withClusterLock } from './cluster-lock.js';

describe('A turn that processes on several servers take', () => {
  let open: OpenDatabase;

  beforeAll(async () => {
    open = await openTestDatabase();
  });
  afterAll(() => open.close());

  async function take<Result>(seconds: number, work: () => Promise<Result>): Promise<Result> {
    const { source, dialect } = open.writer;
    const runner: QueryRunner = source.createQueryRunner();
    try {
      return await withClusterLock(runner, { now: dialect.now, seconds }, work);
    } finally {
      await runner.release();
    }
  }

  it('is of one at a time', async () => {
    let inside = 0;
    let most = 0;
    const works = Array.from({ length: 4 }, () =>
      take(60, async () => {
        most = Math.max(most, (inside += 1));
        await new Promise((resolve) => setTimeout(resolve, 20));
        inside -= 1;
      }),
    );

    await Promise.all(works);

    expect(most).toBe(1);
  });

  it('is given back by one that fails', async () => {
    await expect(take(60, () => Promise.reject(new Error('no')))).rejects.toThrow('no');

    expect(await take(0, () => Promise.resolve('next'))).toBe('next');
  });

  it('of one that was killed is over after a while, and until then the others say that they waited', async () => {
    const until = (sql: string) =>
      open.writer.source.query(`UPDATE migration_turns SET owner = 'killed', until_at = ${sql}`);
    await until(`${open.writer.dialect.now} + 60000`);
    await expect(take(0, () => Promise.resolve())).rejects.toThrow('Another process has held the migration lock');

    await until(`${open.writer.dialect.now} - 1`);
    expect(await take(0, () => Promise.resolve('next'))).toBe('next');
  });
});
