import { MIGRATION_NAMES } from '../../database/schema/migrate.js';
import type { NextIds } from '../../database/statements/next-ids.js';
import { TransferError } from '../transfer-error.js';
import { KINDS_OF_CELLS } from './cells.js';
import type { Digest } from './digest.js';
import type { TableLayout } from './table-layout.js';

export const FORMAT = 'content-service backup';
/** Grows when an older reader could no longer understand the lines. */
export const FORMAT_VERSION = 1;

/**
 * The first line. Then follow, for each table, `{"table":"name"}` and its rows as arrays in the order of the columns,
 * and in the end a {@link Footer}, without which the file is not whole.
 */
export interface Header {
  readonly format: string;
  readonly version: number;
  /** Version of the service that wrote it. */
  readonly app: string;
  /** ISO 8601 */
  readonly created_at: string;
  /** Names, oldest first. */
  readonly migrations: readonly string[];
  readonly tables: readonly TableLayout[];
  /** Ids that the tables would have handed out next. */
  readonly next_ids: NextIds;
}

export interface Section {
  readonly table: string;
}

export interface Footer {
  readonly digest: Digest;
}

/** A line of a backup, with its end. */
export function line(content: Header | Section | Footer): string {
  return `${JSON.stringify(content)}\n`;
}

/** Names end up in statements. */
const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** The first line of a file, when it is that of a backup that this version can restore. @throws {TransferError} */
export function headerIn(content: unknown, file: string): Header {
  const header = (content ?? {}) as Header; // looked at below, as far as it matters
  if (header.format !== FORMAT) throw notABackup(file);
  const isKnown = header.version === FORMAT_VERSION;
  if (!isKnown || !header.migrations.every((name, index) => name === MIGRATION_NAMES[index])) {
    throw new TransferError(
      'backup_of_other_version',
      `The backup ${file} was made by version ${header.app} of the service, whose tables this version does not know. Restore it with that version.`,
    );
  }
  if (!header.tables.every(isLayout)) throw notABackup(file);
  return header;
}

export function notABackup(file: string, cause?: unknown): TransferError {
  return new TransferError('backup_unsound', `The file ${file} is no backup of this service.`, { cause });
}

function isLayout({ name, columns, key }: TableLayout): boolean {
  const names = [name, ...key, ...columns.map((column) => column.name)];
  return names.every((one) => NAME.test(one)) && columns.every(({ kind }) => KINDS_OF_CELLS.has(kind));
}
