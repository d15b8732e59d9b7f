import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Clock } from '../../common/clock.js';
import { packageInfo } from '../../common/package-info.js';
import type { Dialect } from '../../database/dialect/dialect.js';
import { MIGRATION_NAMES, appliedMigrations } from '../../database/schema/migrate.js';
import { readNextIds } from '../../database/statements/next-ids.js';
import { OWNER_ONLY, writeAtomically } from '../atomic-file.js';
import { TransferError } from '../transfer-error.js';
import { FORMAT, FORMAT_VERSION, line, type Header } from './backup-format.js';
import { digestOf, type Digest, type TableDigest } from './digest.js';
import { countRows, digestTables, linesOf, type RowProgress, type Connected } from './table-rows.js';
import type { QueryRunner } from 'typeorm';
import { openNamed } from '../../database/dialect/data-source.js';
import { requireRestored } from '../../database/schema/unfinished-restore.js';
import { layoutsOf, type TableLayout } from './table-layout.js';

/** Most of what the best level saves, in a third of its time. */
const GZIP_LEVEL = 4;

/** The file that was written. */
export interface Backup {
  readonly file: string;
  readonly sizeBytes: number;
  readonly digest: Digest;
}

/**
 * Writes the whole database into one file. The name appears when the file is complete and on the disk, not before.
 *
 * @throws {TransferError} when the file is there already, a row is damaged, or the tables are not those of this version
 */
export async function backUp(dialect: Dialect, file: string, clock: Clock, progress: RowProgress): Promise<Backup> {
  const target = resolve(file);
  if (await stat(target).catch(() => null)) {
    throw new TransferError('file_exists', `The file ${file} exists already. Choose another name.`);
  }
  const digest = await writeAtomically(target, (partial) =>
    withSnapshot(dialect, (snapshot) => writeTo(partial, { snapshot, clock }, progress)),
  );
  return { file: target, sizeBytes: (await stat(target)).size, digest };
}

/** The digest of the whole database, without a file. */
export function digestDatabase(dialect: Dialect, progress: RowProgress): Promise<Digest> {
  return withSnapshot(dialect, async (snapshot) => {
    progress.start(await countRows(snapshot, snapshot.tables), 'Reading rows');
    return digestTables(snapshot, snapshot.tables, progress);
  });
}

interface Source {
  readonly snapshot: Snapshot;
  readonly clock: Clock;
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
  { snapshot, clock }: Source,
  progress: RowProgress,
  digests: TableDigest[],
): AsyncGenerator<string> {
  yield line(await headerOf(snapshot, clock));
  for (const table of snapshot.tables) {
    yield line({ table: table.name });
    digests.push(yield* linesOf(snapshot, table, progress));
  }
  yield line({ digest: digestOf(digests) });
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

/** A whole database as it is at one moment, while others go on writing. */
interface Snapshot extends Connected {
  readonly tables: readonly TableLayout[];
}

/** A server ends a session that has sent nothing for a minute, and what is read here may wait longer to be written. */
const SENT_EVERY_MS = 20_000;

/** Lends a snapshot. @throws {TransferError} when the tables are not those of this version */
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
