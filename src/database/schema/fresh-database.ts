import { SqliteDialect } from '../dialect/sqlite-dialect.js';
import { migrate } from './migrate.js';
import { Writer } from '../statements/writer.js';

/** Lends a database in memory that holds what migrations leave behind, and nothing else. */
export async function withFreshDatabase<Result>(work: (fresh: Writer) => Promise<Result>): Promise<Result> {
  const fresh = await Writer.open(new SqliteDialect(':memory:'));
  try {
    await migrate(fresh);
    return await work(fresh);
  } finally {
    await fresh.source.destroy();
  }
}
