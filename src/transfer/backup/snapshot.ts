import type { QueryRunner } from 'typeorm';
import { openNamed } from '../../database/dialect/data-source.js';
import type { Dialect } from '../../database/dialect/dialect.js';
import { appliedMigrations, MIGRATION_NAMES } from '../../database/schema/migrate.js';
import { requireRestored } from '../../database/schema/unfinished-restore.js';
import { TransferError } from '../transfer-error.js';
import { layoutsOf, type TableLayout } from './table-layout.js';
import type { Connected } from './table-rows.js';

/** A whole database as it is at one moment, while others go on writing. */
export interface Snapshot extends Connected {
  readonly tables: readonly TableLayout[];
}

/** A server ends a session that has sent nothing for a minute, and what is read here may wait longer to be written. */
const SENT_EVERY_MS = 20_000;

/**
 * Lends a snapshot.
 *
 * @throws {TransferError} when the tables are not those of this version
 */
export async function withSnapshot<Result>(
  dialect: Dialect,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const source = await openNamed(dialect.label, dialect.readerOptions());
  try {
    await requireRestored(source);
    const runner = source.createQueryRunner();
    await dialect.beginSnapshot(runner);
    await requireThisVersion(runner);
    const timer = keepingAlive(runner);
    try {
      return await work({ runner, dialect, tables: layoutsOf(source) });
    } finally {
      clearInterval(timer);
      await dialect.rollback(runner).catch(() => undefined);
    }
  } finally {
    await source.destroy();
  }
}

function keepingAlive(runner: QueryRunner): NodeJS.Timeout {
  const send = (): void => {
    // A session that is lost fails with what is read next.
    runner.query('SELECT 1').catch(() => undefined);
  };
  return setInterval(send, SENT_EVERY_MS).unref();
}

async function requireThisVersion(runner: QueryRunner): Promise<void> {
  const applied = await appliedMigrations(runner);
  if (applied.join() === MIGRATION_NAMES.join()) return;
  throw new TransferError(
    'database_of_other_version',
    applied.length < MIGRATION_NAMES.length
      ? 'The database lacks migrations of this version. Back it up with the version that it belongs to, or run: npm run migrate.'
      : 'The database belongs to a newer version of the service. Back it up with that one.',
  );
}
