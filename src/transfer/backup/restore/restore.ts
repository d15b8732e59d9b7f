import type { EntityManager } from 'typeorm';
import type { Dialect } from '../../../database/dialect/dialect.js';
import { migrate, rebuildTables } from '../../../database/schema/migrate.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import { endRestore, markRestore } from '../../../database/schema/unfinished-restore.js';
import type { Writer } from '../../../database/statements/writer.js';
import { BackupFile } from '../backup-file.js';
import type { VerifiedBackup } from './backup-parser.js';
import { foldCounts } from '../fold-counts.js';
import type { ReadSnapshots } from '../referenced-ids.js';
import { digestTables, type Connected } from '../table-rows.js';
import { differingTables, type Digest } from '../digest.js';
import type { RowProgress } from './row-progress.js';
import { RowLoader } from './row-loader.js';
import { advanceSequences } from './restored-sequences.js';
import { openTarget } from './target-database.js';

/** What is asked for. */
export interface RestoreOrder {
  readonly file: string;
  /** Whether what the database holds may be lost. */
  readonly isForced: boolean;
  /** Whether to read everything back. */
  readonly isVerified: boolean;
  /** Reads the histories of the records, where they are looked through for ids. */
  readonly snapshots: ReadSnapshots;
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
  const loader = new RowLoader(new UnitOfWork(writer), writer.source);
  await loader.clear(header.tables);
  for await (const batch of file.batches(progress, 'Restoring bytes')) await loader.insert(batch);
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
  const { isVerified: isThorough, snapshots } = order;
  await advanceSequences(writer, { recorded: header.next_ids, isThorough, snapshots });
  const runner = writer.source.createQueryRunner();
  await writer.dialect.refreshStatistics(runner);
  await runner.release();
  await foldCounts(writer);
  await new UnitOfWork(writer).run(order.orderIndexing);
  await endRestore(writer.source);
}
