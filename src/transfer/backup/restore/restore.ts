import type { EntityManager, DataSource } from 'typeorm';
import type { Dialect } from '../../../database/dialect/dialect.js';
import { migrate, rebuildTables, appliedMigrations, MIGRATION_NAMES } from '../../../database/schema/migrate.js';
import { endRestore, markRestore, isRestoreUnfinished } from '../../../database/schema/unfinished-restore.js';
import { raiseNextIds } from '../../../database/statements/next-ids.js';
import { Reads } from '../../../database/statements/reads.js';
import { execute, type SqlValue } from '../../../database/statements/statement.js';
import { insertRows } from '../../../database/statements/statement-queue.js';
import { Writer } from '../../../database/statements/writer.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import { RecordCounts } from '../../../records/counting/record-counts.js';
import { storable } from '../cells.js';
import { differingTables, type Digest } from '../digest.js';
import { digestTables, type Connected, type RowProgress } from '../table-rows.js';
import { BackupFile, type VerifiedBackup, type Batch } from './backup-file.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRetryable } from '../../../database/dialect/database-error.js';
import { TransferError } from '../../transfer-error.js';
import { layoutsOf } from '../table-layout.js';

/** A request of the caller. */
export interface RestoreOrder {
  readonly file: string;
  /** True if the contents of the database may be lost. */
  readonly isForced: boolean;
  /** True if everything is to be read back. */
  readonly isVerified: boolean;
  /**
   * Orders the search index, which a backup does not hold: the service that runs next makes it from the records, in the
   * background. A migration younger than the backup may have ordered the same.
   */
  readonly orderIndexing: (manager: EntityManager) => Promise<void>;
}

export interface Restored extends VerifiedBackup {
  /** The digest that was read back, if it was. */
  readonly found: Digest | null;
  /** Tables that are not as they were; when there are any, the database stays closed to the service. */
  readonly differing: readonly string[];
}

/**
 * Replaces what a database holds with a backup, after looking through all of the file.
 * Until everything is in its place the database is marked, so that no process serves half of it.
 *
 * @throws {TransferError} before anything is changed
 */
export async function restore(dialect: Dialect, order: RestoreOrder, progress: RowProgress): Promise<Restored> {
  const file = new BackupFile(order.file);
  const sound = await file.check(progress);
  const writer = await openTarget(dialect, order);
  try {
    await markRestore(writer.source);
    await fill(writer, file, sound, progress);
    const found = order.isVerified ? await readBack(writer, sound, progress) : null;
    const differing = found ? differingTables(sound.digest, found) : [];
    if (differing.length === 0) await complete(writer, sound, order);
    return { ...sound, found, differing };
  } finally {
    await writer.source.destroy();
  }
}

async function fill(
  writer: Writer,
  file: BackupFile,
  { header }: VerifiedBackup,
  progress: RowProgress,
): Promise<void> {
  await rebuildTables(writer, header.migrations.length);
  const target = { source: writer.source, units: new UnitOfWork(writer) };
  // Migrations put rows into new tables.
  await target.units.run(async (manager) => {
    for (const { name } of header.tables) await execute(manager, `DELETE FROM ${target.source.driver.escape(name)}`);
  });
  for await (const batch of file.batches(progress, 'Restoring bytes')) await insert(target, batch);
}

async function readBack(writer: Writer, { header, digest }: VerifiedBackup, progress: RowProgress): Promise<Digest> {
  const database: Connected = { runner: writer.source.createQueryRunner(), dialect: writer.dialect };
  try {
    const rows = digest.tables.reduce((sum, table) => sum + table.rows, 0);
    progress.start(rows, 'Verifying rows');
    return await digestTables(database, header.tables, progress);
  } finally {
    progress.stop();
    await database.runner.release();
  }
}

/** The migrations that are younger than the backup run over its content, as they would have where it was made. */
async function complete(writer: Writer, { header }: VerifiedBackup, order: RestoreOrder): Promise<void> {
  await migrate(writer);
  await new UnitOfWork(writer).run((manager) => raiseNextIds(manager, writer.dialect, header.next_ids));
  const runner = writer.source.createQueryRunner();
  await writer.dialect.refreshStatistics(runner);
  await runner.release();
  await foldCounts(writer);
  await new UnitOfWork(writer).run(order.orderIndexing);
  await endRestore(writer.source);
}

interface Target {
  readonly source: DataSource;
  readonly units: UnitOfWork;
}

/** Some databases take 32,766; more than this many make no statement faster. */
const MAX_VALUES = 8_000;

/** Writes rows as they come from a file, in short units of work. */
async function insert({ source, units }: Target, { table: { name, columns }, rows }: Batch): Promise<void> {
  const size = Math.floor(MAX_VALUES / columns.length);
  const names = columns.map((column) => source.driver.escape(column.name)).join(', ');
  const into = `INSERT INTO ${source.driver.escape(name)} (${names})`;
  for (let start = 0; start < rows.length; start += size) {
    const cells = rows
      .slice(start, start + size)
      .map((row): SqlValue[] => columns.map(({ kind }, index) => storable(kind, row[index] ?? null)));
    await units.run((manager) => insertRows(manager, into, cells));
  }
}

/**
 * MySQL and MariaDB leave changes that wait to be counted, and a database with one writer counts without looking at them.
 * Made without the service, whose settings a restore does not need.
 */
async function foldCounts(writer: Writer): Promise<void> {
  const { dialect } = writer;
  const reads = new Reads(writer.source);
  const counts = new RecordCounts(reads, new UnitOfWork(writer), dialect);
  while ((await counts.fold()) > 0);
}

/** MySQL may show connections for a moment after their end. */
const LOOKS = 5;
const LOOK_EVERY_MS = 400;

/**
 * Opens the database that a backup is going to replace.
 *
 * @param isForced whether what it holds may be lost
 * @throws {TransferError} when others use it, when it holds something, or when it is of a newer version
 */
async function openTarget(dialect: Dialect, { isForced }: { readonly isForced: boolean }): Promise<Writer> {
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

/** Conditions on the tables that a migration fills, for rows that others have written there. */
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
