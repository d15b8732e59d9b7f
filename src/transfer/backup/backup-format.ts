import type { NextIds } from '../../database/statements/next-ids.js';
import type { LeftOut } from './damaged-rows.js';
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
  readonly format: typeof FORMAT;
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
  /** Damaged rows that were not written. Absent: none. */
  readonly skipped?: LeftOut;
}

/** A line of a backup, with its end. */
export function line(content: Header | Section | Footer): string {
  return `${JSON.stringify(content)}\n`;
}
