import { MigrationExecutor, type Migration, type QueryRunner } from 'typeorm';
import { isLockTimeout } from '../dialect/database-error.js';
import { migrations } from '../migrations/index.js';
import { withRunner } from '../statements/reads.js';
import type { Writer } from '../statements/writer.js';

export const MIGRATION_NAMES: readonly string[] = migrations.map(({ name }) => name);
/** Each waits for two seconds, as dialects have it. */
const MAX_TRIES = 60;

/** Names of the migrations that the database has had, oldest first. Writes nothing. */
export async function appliedMigrations(runner: QueryRunner): Promise<string[]> {
  if (!(await runner.hasTable('migrations'))) return [];
  const rows = (await runner.query('SELECT name FROM migrations ORDER BY timestamp')) as { name: string }[];
  return rows.map(({ name }) => name);
}

export async function pendingMigrations({ source }: Writer): Promise<string[]> {
  const pending = await withRunner(source, (runner) => executor(runner).getPendingMigrations());
  return pending.map(({ name }) => name);
}

/** Brings the tables up to date; of two processes one does the work. @param report gets the name of each migration that ran */
export function migrate({ source, dialect }: Writer, report?: (name: string) => void): Promise<number> {
  return withRunner(source, async (runner) => {
    const ran = await dialect.exclusively(runner, async () => {
      const before = await appliedMigrations(runner);
      await untilUnlocked(() => executor(runner).executePendingMigrations());
      return (await appliedMigrations(runner)).filter((name) => !before.includes(name));
    });
    for (const name of ran) report?.(name);
    if (ran.length > 0) await dialect.refreshStatistics(runner);
    return ran.length;
  });
}

/** Runs what may be interrupted and run again, until it does not meet the lock of a transaction any more. */
async function untilUnlocked(run: () => Promise<unknown>): Promise<void> {
  for (let triesLeft = MAX_TRIES; ; triesLeft -= 1) {
    try {
      await run();
      return;
    } catch (error) {
      if (triesLeft === 0 || !isLockTimeout(error)) throw error;
    }
  }
}

class FirstMigrations extends MigrationExecutor {
  count = MIGRATION_NAMES.length;

  protected override getMigrations(): Migration[] {
    const names = MIGRATION_NAMES.slice(0, this.count);
    return super.getMigrations().filter(({ name }) => names.includes(name));
  }
}

/** @param count knows that many, the oldest ones */
function executor(runner: QueryRunner, count = MIGRATION_NAMES.length): MigrationExecutor {
  return Object.assign(new FirstMigrations(runner.dataSource, runner), { count, transaction: 'none' });
}

/** Makes the tables anew, as the first migrations leave them. Everything that was in them is lost. */
export function rebuildTables({ source, dialect }: Writer, count: number): Promise<void> {
  return withRunner(source, (runner) =>
    dialect.exclusively(runner, async () => {
      const all = executor(runner);
      for (const _ of await appliedMigrations(runner)) await all.undoLastMigration();
      await executor(runner, count).executePendingMigrations();
    }),
  );
}
