import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Clock } from '../../common/clock.js';
import { packageInfo } from '../../common/package-info.js';
import type { Dialect } from '../../database/dialect/dialect.js';
import { MIGRATION_NAMES } from '../../database/schema/migrate.js';
import { readNextIds } from '../../database/statements/next-ids.js';
import { OWNER_ONLY, writeAtomically } from '../atomic-file.js';
import { TransferError } from '../transfer-error.js';
import { FORMAT, FORMAT_VERSION, line, type Header } from './backup-format.js';
import { DamagedRows, type LeftOut } from './damaged-rows.js';
import { digestOf, type Digest, type TableDigest } from './digest.js';
import { withSnapshot, type Snapshot } from './snapshot.js';
import { countRows, digestTables, linesOf, type RowProgress } from './table-rows.js';

/** Most of what the best level saves, in a third of its time. */
const GZIP_LEVEL = 4;

/** What was written. */
export interface Backup {
  readonly file: string;
  readonly sizeBytes: number;
  readonly digest: Digest;
  /** Damaged rows that it lacks; `null`: none. */
  readonly skipped: LeftOut | null;
}

/** What is asked for. */
export interface BackupOrder {
  readonly file: string;
  /** Whether the file may lack rows that are damaged. */
  readonly skipsDamaged: boolean;
}

/**
 * Writes the whole database into one file. The name appears when the file is complete and on the disk, not before.
 *
 * @throws {TransferError} when the file is there already, a row is damaged, or the tables are not those of this version
 */
export async function backUp(
  dialect: Dialect,
  { file, skipsDamaged }: BackupOrder,
  clock: Clock,
  progress: RowProgress,
): Promise<Backup> {
  const target = resolve(file);
  if (await stat(target).catch(() => null)) {
    throw new TransferError('file_exists', `The file ${file} exists already. Choose another name.`);
  }
  const damaged = new DamagedRows(skipsDamaged ? 'skipped' : 'refused');
  const digest = await writeAtomically(target, (partial) =>
    withSnapshot(dialect, (snapshot) => writeTo(partial, { snapshot, clock, damaged }, progress)),
  );
  return { file: target, sizeBytes: (await stat(target)).size, digest, skipped: damaged.leftOut() };
}

/** What the whole database comes to, without a file. */
export function digestDatabase(dialect: Dialect, progress: RowProgress): Promise<Digest> {
  return withSnapshot(dialect, async (snapshot) => {
    progress.start(await countRows(snapshot, snapshot.tables), 'Reading rows');
    return digestTables(snapshot, snapshot.tables, progress);
  });
}

interface Source {
  readonly snapshot: Snapshot;
  readonly clock: Clock;
  readonly damaged: DamagedRows;
}

async function writeTo(file: string, source: Source, progress: RowProgress): Promise<Digest> {
  const { snapshot } = source;
  progress.start(await countRows(snapshot, snapshot.tables), 'Backing up rows');
  const digests: TableDigest[] = [];
  const lines = Readable.from(contents(source, progress, digests));
  // `flush`: what gets its name must be on the disk.
  await pipeline(lines, createGzip({ level: GZIP_LEVEL }), createWriteStream(file, { mode: OWNER_ONLY, flush: true }));
  return digestOf(digests);
}

/** @param digests takes up what each table comes to */
async function* contents(
  { snapshot, clock, damaged }: Source,
  progress: RowProgress,
  digests: TableDigest[],
): AsyncGenerator<string> {
  yield line(await headerOf(snapshot, clock));
  for (const table of snapshot.tables) {
    yield line({ table: table.name });
    digests.push(yield* linesOf(snapshot, table, progress, damaged));
  }
  const skipped = damaged.leftOut();
  yield line({ digest: digestOf(digests), ...(skipped ? { skipped } : {}) });
}

async function headerOf({ tables, runner, dialect }: Snapshot, clock: Clock): Promise<Header> {
  const names = new Set(tables.map(({ name }) => name));
  const nextIds = Object.entries(await readNextIds(runner, dialect));
  return {
    format: FORMAT,
    version: FORMAT_VERSION,
    app: packageInfo().version,
    created_at: new Date(clock.now()).toISOString(),
    migrations: MIGRATION_NAMES,
    tables,
    next_ids: Object.fromEntries(nextIds.filter(([name]) => names.has(name))),
  };
}
