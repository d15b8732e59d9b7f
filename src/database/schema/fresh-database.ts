import { SqliteDialect } from '../sqlite/sqlite-dialect.js';
import { migrate } from './migrate.js';
import { Writer } from '../statements/writer.js';

/** Runs `work` with a migrated, otherwise empty database in memory. */
export async function withFreshDatabase<Result>(work: (fresh: Writer) => Promise<Result>): Promise<Result> {
  const fresh = await Writer.open(new SqliteDialect(':memory:'));
  try {
    await migrate(fresh);
    return await work(fresh);
  } finally {
    await fresh.source.destroy();
  }
}
