import type { QueryRunner } from 'typeorm';
import { MigrationExecutor, type Migration } from 'typeorm';
import { migrations } from '../migrations/index.js';
import type { Writer } from '../statements/writer.js';

/** Names of the migrations of this version, oldest first. */
export const MIGRATION_NAMES: readonly string[] = migrations.map(({ name }) => name);

/** Names of the migrations that the database has had, oldest first. Writes nothing. */
export async function appliedMigrations(runner: QueryRunner): Promise<string[]> {
  if (!(await runner.hasTable('migrations'))) return [];
  const rows = (await runner.query('SELECT name FROM migrations ORDER BY timestamp')) as { name: string }[];
  return rows.map(({ name }) => name);
}

/** Names of the migrations that the database still lacks. */
export async function pendingMigrations({ source }: Writer): Promise<string[]> {
  const pending = await new MigrationExecutor(source).getPendingMigrations();
  return pending.map(({ name }) => name);
}

/**
 * Brings the tables up to date. Of two processes that do so at once, one works and the other one finds nothing left to do.
 *
 * @param report is called with the name of each migration that ran
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

/** Knows the first migrations only. */
class EarlyExecutor extends MigrationExecutor {
  constructor(
    runner: QueryRunner,
    private readonly count: number,
  ) {
    super(runner.dataSource, runner);
    this.transaction = 'none';
  }

  protected override getMigrations(): Migration[] {
    return super.getMigrations().slice(0, this.count);
  }
}

/** Makes the tables anew, as the first migrations leave them. Everything that was in them is lost. */
export async function rebuildTables({ source, dialect }: Writer, count: number): Promise<void> {
  const runner = source.createQueryRunner();
  try {
    await dialect.exclusively(runner, async () => {
      const applied = await appliedMigrations(runner);
      for (const _ of applied) await new EarlyExecutor(runner, MIGRATION_NAMES.length).undoLastMigration();
      await new EarlyExecutor(runner, count).executePendingMigrations();
    });
  } finally {
    await runner.release();
  }
}
