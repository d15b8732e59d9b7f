import { MigrationExecutor, type Migration, type QueryRunner } from 'typeorm';
import { isLockTimeout } from '../dialect/database-error.js';
import { migrations } from '../migrations/index.js';
import type { Writer } from '../statements/writer.js';

/** Names of the migrations of this version, oldest first. */
export const MIGRATION_NAMES: readonly string[] = migrations.map(({ name }) => name);
/** Each waits for two seconds, as dialects have it. */
const MAX_TRIES = 60;

/** Names of the migrations that the database has had, oldest first. Writes nothing. */
export async function appliedMigrations(runner: QueryRunner): Promise<string[]> {
  if (!(await runner.hasTable('migrations'))) return [];
  const rows = (await runner.query('SELECT name FROM migrations ORDER BY timestamp')) as { name: string }[];
  return rows.map(({ name }) => name);
}

/** Names of the migrations that the database still lacks. */
export async function pendingMigrations({ source }: Writer): Promise<string[]> {
  const runner = source.createQueryRunner();
  try {
    const pending = await new NamedExecutor(runner, MIGRATION_NAMES).getPendingMigrations();
    return pending.map(({ name }) => name);
  } finally {
    await runner.release();
  }
}

/** Brings the tables up to date; of two processes one does the work. @param report gets the name of each migration that ran */
export function migrate(writer: Writer, report?: (name: string) => void): Promise<number> {
  return runPending(writer, MIGRATION_NAMES, report);
}

async function runPending(
  { source, dialect }: Writer,
  names: readonly string[],
  report?: (name: string) => void,
): Promise<number> {
  const runner = source.createQueryRunner();
  try {
    const ran = await dialect.exclusively(runner, async () => {
      const before = await appliedMigrations(runner);
      await untilUnlocked(() => new NamedExecutor(runner, names).executePendingMigrations());
      return (await appliedMigrations(runner)).filter((name) => !before.includes(name));
    });
    for (const name of ran) report?.(name);
    if (ran.length > 0) await dialect.refreshStatistics(runner);
    return ran.length;
  } finally {
    await runner.release();
  }
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

/** Knows some of the migrations only. */
class NamedExecutor extends MigrationExecutor {
  constructor(
    runner: QueryRunner,
    private readonly names: readonly string[],
  ) {
    super(runner.dataSource, runner);
    this.transaction = 'none';
  }

  protected override getMigrations(): Migration[] {
    return super.getMigrations().filter(({ name }) => this.names.includes(name));
  }
}

/** Makes the tables anew, as the first migrations leave them. Everything that was in them is lost. */
export async function rebuildTables({ source, dialect }: Writer, count: number): Promise<void> {
  const runner = source.createQueryRunner();
  try {
    await dialect.exclusively(runner, async () => {
      const all = new NamedExecutor(runner, MIGRATION_NAMES);
      for (const _ of await appliedMigrations(runner)) await all.undoLastMigration();
      await new NamedExecutor(runner, MIGRATION_NAMES.slice(0, count)).executePendingMigrations();
    });
  } finally {
    await runner.release();
  }
}
