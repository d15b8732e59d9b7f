import type { EntityManager, DataSource } from 'typeorm';
import type { Dialect } from '../../../database/dialect/dialect.js';
import { migrate, rebuildTables } from '../../../database/schema/migrate.js';
import { endRestore, markRestore } from '../../../database/schema/unfinished-restore.js';
import { raiseNextIds } from '../../../database/statements/next-ids.js';
import { Reads } from '../../../database/statements/reads.js';
import { execute, type SqlValue } from '../../../database/statements/statement.js';
import { insertRows } from '../../../database/statements/statement-queue.js';
import type { Writer } from '../../../database/statements/writer.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import { RecordCounts } from '../../../records/counting/record-counts.js';
import { storable } from '../cells.js';
import { differingTables, type Digest } from '../digest.js';
import { digestTables, type Connected, type RowProgress } from '../table-rows.js';
import { BackupFile, type VerifiedBackup, type Batch } from './backup-file.js';
import { openTarget } from './target-database.js';

/** What is asked for. */
export interface RestoreOrder {
  readonly file: string;
  /** Whether what the database holds may be lost. */
  readonly isForced: boolean;
  /** Whether to read everything back. */
  readonly isVerified: boolean;
  /**
   * Orders the search index, which a backup does not hold: the service that runs next makes it from the records, in the
   * background. A migration younger than the backup may have ordered the same.
   */
  readonly orderIndexing: (manager: EntityManager) => Promise<void>;
}

export interface Restored extends VerifiedBackup {
  /** What was read back, if it was. */
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
 * A server leaves changes that wait to be counted, and a database with one writer counts without looking at them.
 * Made without the service, whose settings a restore does not need.
 */
async function foldCounts(writer: Writer): Promise<void> {
  const { dialect } = writer;
  const reads = new Reads(writer.source);
  const counts = new RecordCounts(reads, new UnitOfWork(writer), dialect);
  while ((await counts.fold()) > 0);
}
