import { setTimeout as sleep } from 'node:timers/promises';
import { isRetryable } from '../../../database/dialect/database-error.js';
import type { Dialect } from '../../../database/dialect/dialect.js';
import { appliedMigrations, MIGRATION_NAMES } from '../../../database/schema/migrate.js';
import { isRestoreUnfinished } from '../../../database/schema/unfinished-restore.js';
import { Writer } from '../../../database/statements/writer.js';
import { TransferError } from '../../transfer-error.js';
import { layoutsOf } from '../table-layout.js';
import type { Connected } from '../table-rows.js';

/** A server may show connections for a moment after their end. */
const LOOKS = 5;
const LOOK_EVERY_MS = 400;

/**
 * Opens the database that a backup is going to replace.
 *
 * @param isForced whether what it holds may be lost
 * @throws {TransferError} when others use it, when it holds something, or when it is of a newer version
 */
export async function openTarget(dialect: Dialect, { isForced }: { readonly isForced: boolean }): Promise<Writer> {
  const writer = await openAlone(dialect);
  const runner = writer.source.createQueryRunner();
  try {
    await requireAlone({ runner, dialect });
    const applied = await appliedMigrations(runner);
    requireKnown(applied);
    const mayBeLost = isForced || applied.length === 0 || (await isRestoreUnfinished(writer.source));
    if (!mayBeLost) await requireEmpty({ runner, dialect }, applied);
    await runner.release();
    return writer;
  } catch (error) {
    await writer.source.destroy();
    throw error;
  }
}

async function openAlone(dialect: Dialect): Promise<Writer> {
  try {
    return await Writer.open(dialect, dialect.soleOptions());
  } catch (error) {
    if (isRetryable((error as Error).cause)) throw inUse(dialect);
    throw error;
  }
}

async function requireAlone({ runner, dialect }: Connected): Promise<void> {
  for (let look = 1; (await dialect.othersConnected(runner)) > 0; look += 1) {
    if (look === LOOKS) throw inUse(dialect);
    await sleep(LOOK_EVERY_MS);
  }
}

function requireKnown(applied: readonly string[]): void {
  if (applied.every((name, index) => name === MIGRATION_NAMES[index])) return;
  throw new TransferError('database_of_other_version', 'The database belongs to a newer version of the service.');
}

/** Of the tables that a migration fills, what tells that others have written there. */
const OWN_ROWS: ReadonlyMap<string, string> = new Map(
  ['content_types', 'taxonomies'].map((table) => [table, ' WHERE id > 2 OR version > 1']),
);

async function requireEmpty({ runner, dialect }: Connected, applied: readonly string[]): Promise<void> {
  if (applied.length < MIGRATION_NAMES.length) throw notEmpty('may hold content of an older version', dialect);
  for (const { name } of layoutsOf(runner.dataSource)) {
    const table = runner.dataSource.driver.escape(name);
    const rows = (await runner.query(`SELECT 1 FROM ${table}${OWN_ROWS.get(name) ?? ''} LIMIT 1`)) as unknown[];
    if (rows.length > 0) throw notEmpty(`has content of its own in ${name}`, dialect);
  }
}

function inUse({ label }: Dialect): TransferError {
  return new TransferError('database_in_use', `The database ${label} is in use. Stop the service, then try again.`);
}

function notEmpty(what: string, { label }: Dialect): TransferError {
  return new TransferError(
    'database_not_empty',
    `The database ${label} ${what}. Restore into an empty one, or replace everything in this one with --force.`,
  );
}
