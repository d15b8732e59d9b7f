import type { QueryRunner } from 'typeorm';
import { MigrationExecutor } from 'typeorm';
import type { Writer } from './writer.js';

/** Names of the migrations that the database still lacks. */
export async function pendingMigrations({ source }: Writer): Promise<string[]> {
  const pending = await new MigrationExecutor(source).getPendingMigrations();
  return pending.map(({ name }) => name);
}

/**
 * Brings the tables up to date. Of two processes that do so at once, one works and the other one finds nothing left to do.
 *
 * @param report is told the name of each migration that ran
 */
export async function migrate({ source, dialect }: Writer, report?: (name: string) => void): Promise<number> {
  const runner = source.createQueryRunner();
  try {
    const ran = await dialect.exclusively(runner, async () => runPending(runner, report));
    if (ran > 0) await dialect.refreshStatistics(runner);
    return ran;
  } finally {
    await runner.release();
  }
}

async function runPending(runner: QueryRunner, report?: (name: string) => void): Promise<number> {
  const executor = new MigrationExecutor(runner.dataSource, runner);
  executor.transaction = 'none';
  const ran = await executor.executePendingMigrations();
  for (const { name } of ran) report?.(name);
  return ran.length;
}
