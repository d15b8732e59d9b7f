import type { Status } from '../../content-types/definition/content-type.js';
import { isBytes, readCell, readText } from './record-cells.js';

/** What a list finds, sorts and counts by. Times are milliseconds since 1970, UTC. */
export interface NarrowRow {
  readonly id: number;
  readonly type_id: number;
  readonly locale: string;
  readonly slug: string | null;
  readonly title: string;
  readonly status: Status;
  readonly version: number;
  readonly created_by: number;
  readonly updated_by: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly published_at: number | null;
  /** 0: not in the trash. */
  readonly trashed_at: number;
}

/** A whole record as the database keeps it. */
export interface RecordRow extends NarrowRow {
  readonly body: string | null;
  /** JSON, keyed by field id. */
  readonly data: string;
  readonly trashed_slug: string | null;
  /** The `published_at` that it had before it became a draft again. */
  readonly first_published_at: number | null;
  /** JSON: ids of terms by taxonomy; `null`: none. */
  readonly terms: string | null;
}

/** A record of a list whose contents are so long that they are read by themselves. */
export interface UnreadRow extends NarrowRow {
  readonly data: null;
}

export type ListedRow = RecordRow | UnreadRow;

export function isUnread(row: ListedRow): row is UnreadRow {
  return row.data === null;
}

/** Ids of a record's terms by taxonomy, in the order they were assigned. Taxonomies without terms are absent. */
export type TermIds = Readonly<Record<string, readonly number[]>>;

/** Values of the type's own fields, keyed by field id. */
export type FieldValues = Readonly<Record<string, unknown>>;

export const NARROW_COLUMNS =
  'r.id, r.type_id, r.locale, r.slug, r.title, r.status, r.version, r.created_by, r.updated_by, r.created_at, r.updated_at, r.published_at, r.trashed_at';

export const ALL_COLUMNS = `${NARROW_COLUMNS}, r.first_published_at, c.body, c.data, c.terms, c.trashed_slug`;

export const WITH_CONTENTS = 'JOIN record_contents c ON c.record_id = r.id';

/** Bytes up to which the contents of many records may be read with one statement. */
const SHORT_BYTES = 65_536;

/** Long contents stay away: `data`, which every record has, is null then ({@link isUnread}). */
export const WITH_SHORT_CONTENTS = `LEFT JOIN record_contents c ON c.record_id = r.id
  AND OCTET_LENGTH(c.data) + COALESCE(OCTET_LENGTH(c.body), 0) <= ${SHORT_BYTES}`;

/** Which columns the rows of a page are read with, and what has to be joined for them. */
export interface RowShape<Row> {
  readonly columns: string;
  readonly contents: string;
  /** For the compiler alone. */
  readonly row?: Row;
}

/** Rows with their contents, as far as these are short. */
export const WHOLE_ROWS: RowShape<ListedRow> = { columns: ALL_COLUMNS, contents: WITH_SHORT_CONTENTS };

/** Rows without bodies, and with the other contents, as far as these are short. */
export const ROWS_WITHOUT_BODY: RowShape<ListedRow> = {
  columns: ALL_COLUMNS.replace('c.body', 'NULL AS body'),
  contents: `LEFT JOIN record_contents c ON c.record_id = r.id AND OCTET_LENGTH(c.data) <= ${SHORT_BYTES}`,
};

/** Rows without their contents. */
export const NARROW_ROWS: RowShape<ListedRow> = { columns: NARROW_COLUMNS, contents: '' };

/**
 * A version of a record: each write of it makes another one. An import can give a record that was removed its id back,
 * and even its version and time: the rest of the mark distinguishes the two. All of it stands in the row that is read
 * anyway.
 */
export type RecordMark = Pick<NarrowRow, (typeof MARK_COLUMNS)[number]>;

const MARK_COLUMNS = [
  'id',
  'version',
  'updated_at',
  'created_at',
  'created_by',
  'updated_by',
  'slug',
  'title',
] as const satisfies readonly (keyof NarrowRow)[];

/** Which versions of which records a page shows. */
export const MARKS: RowShape<RecordMark> = {
  columns: MARK_COLUMNS.map((column) => `r.${column}`).join(', '),
  contents: '',
};

/** The mark of a row, without its contents. */
export function markOf({
  id,
  version,
  updated_at,
  created_at,
  created_by,
  updated_by,
  slug,
  title,
}: NarrowRow): RecordMark {
  return { id, version, updated_at, created_at, created_by, updated_by, slug, title };
}

export function hasSameMark(one: RecordMark, other: RecordMark): boolean {
  return MARK_COLUMNS.every((column) => isSameCell(one[column], other[column]));
}

function isSameCell(one: unknown, other: unknown): boolean {
  return one === other || (isBytes(one) && isBytes(other) && Buffer.compare(one, other) === 0);
}

export function titleOf(row: NarrowRow): string {
  return readText(row, 'title') ?? '';
}

export function bodyOf(row: Pick<RecordRow, 'id' | 'body'>): string | null {
  return readText(row, 'body');
}

export function valuesOf(row: { readonly id?: number; readonly data: string }): FieldValues {
  return readCell(row, 'data');
}

/** Of a row that was read without its contents: none. */
export function termsOf(row: { readonly id?: number | string; readonly terms?: string | null }): TermIds {
  return (row.terms ?? null) === null ? {} : (readCell(row, 'terms') as TermIds);
}

/** All of a record's terms. */
export function termIdsOf(terms: TermIds): number[] {
  return Object.values(terms).flat();
}

/** What the database keeps of a record's terms. */
export function storedTerms(terms: TermIds): string | null {
  return termIdsOf(terms).length === 0 ? null : JSON.stringify(terms);
}
