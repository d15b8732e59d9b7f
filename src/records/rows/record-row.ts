import type { Status } from '../../content-types/definition/content-type.js';
import { readCell } from './record-cells.js';
import { ownTurn } from '../../common/concurrency/own-turn.js';
import type { Reader } from '../../database/statements/reads.js';

/** The columns that a list finds, sorts and counts by. Times are milliseconds since 1970, UTC. */
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

/** A text that is another one if a record has another version, or shows something else of its narrow row. */
export function markOf({ version, updated_at, created_at, created_by, updated_by, slug, title }: NarrowRow): string {
  return `${version} ${updated_at} ${created_at} ${created_by} ${updated_by} ${slug} ${title}`;
}

export function isUnread(row: ListedRow): row is UnreadRow {
  return row.data === null;
}

/** Ids of a record's terms by taxonomy, in the order they were assigned. Taxonomies without terms are absent. */
export type TermIds = Readonly<Record<string, readonly number[]>>;

/** Values of the type's own fields, keyed by field id. */
export type FieldValues = Readonly<Record<string, unknown>>;

const NARROW_COLUMNS =
  'r.id, r.type_id, r.locale, r.slug, r.title, r.status, r.version, r.created_by, r.updated_by, r.created_at, r.updated_at, r.published_at, r.trashed_at';

export const ALL_COLUMNS = `${NARROW_COLUMNS}, r.first_published_at, c.body, c.data, c.terms, c.trashed_slug`;

export const WITH_CONTENTS = 'JOIN record_contents c ON c.record_id = r.id';

/** Bytes up to which the contents of many records may be read with one statement. */
const SHORT_BYTES = 65_536;

/** Long contents stay away: `data`, which every record has, is null then ({@link isUnread}). */
export const WITH_SHORT_CONTENTS = `LEFT JOIN record_contents c ON c.record_id = r.id
  AND OCTET_LENGTH(c.data) + COALESCE(OCTET_LENGTH(c.body), 0) <= ${SHORT_BYTES}`;

/** The columns that the rows of a page are read with, and the table that has to be joined for them. */
export interface RowShape {
  readonly columns: string;
  readonly contents: string;
}

/** Rows with their contents, as far as these are short. */
export const WHOLE_ROWS: RowShape = { columns: ALL_COLUMNS, contents: WITH_SHORT_CONTENTS };

/** Rows without bodies, and with the other contents, as far as these are short. */
export const ROWS_WITHOUT_BODY: RowShape = {
  columns: ALL_COLUMNS.replace('c.body', 'NULL AS body'),
  contents: `LEFT JOIN record_contents c ON c.record_id = r.id AND OCTET_LENGTH(c.data) <= ${SHORT_BYTES}`,
};

/** Rows without their contents. */
export const NARROW_ROWS: RowShape = { columns: NARROW_COLUMNS, contents: '' };

/** @throws {DomainError} `record_damaged` */
export function valuesOf(row: { readonly id?: number | string; readonly data: string }): FieldValues {
  return readCell(row, 'data');
}

/** The terms of a row, by taxonomy; none if it was read without its contents. @throws {DomainError} `record_damaged` */
export function termsOf(row: { readonly id?: number | string; readonly terms?: string | null }): TermIds {
  return (row.terms ?? null) === null ? {} : (readCell(row, 'terms') as TermIds);
}

/** All of a record's terms. */
export function termIdsOf(terms: TermIds): number[] {
  return Object.values(terms).flat();
}

/** The stored form of a record's terms. */
export function storedTerms(terms: TermIds): string | null {
  return termIdsOf(terms).length === 0 ? null : JSON.stringify(terms);
}

/** Without taxonomies of which there is no term. */
export function withoutEmpty(terms: TermIds): TermIds {
  return Object.fromEntries(Object.entries(terms).filter(([, ids]) => ids.length > 0));
}

/** The terms of some taxonomies only. */
export function withOnly(terms: TermIds, isKept: (taxonomy: string) => boolean): TermIds {
  return Object.fromEntries(Object.entries(terms).filter(([taxonomy]) => isKept(taxonomy)));
}

/** The terms with others in the place of some, each once. @param termFor what an id becomes; `null`: nothing takes its place */
export function withReplaced(terms: TermIds, termFor: (id: number) => number | null): TermIds {
  const entries = Object.entries(terms).map(
    ([taxonomy, ids]) => [taxonomy, [...new Set(ids.flatMap((id) => termFor(id) ?? []))]] as const,
  );
  return withoutEmpty(Object.fromEntries(entries));
}

/** Characters of what is made of rows in one turn of the event loop, as {@link weightOf} counts them. */
export const PORTION_WEIGHT = 524_288;
/** About so many has a record with nothing in it. */
const EMPTY_WEIGHT = 500;
/** About so many has a term in a view, by character of its id and the comma: an id of five digits stands for 120. */
const TERM_WEIGHT = 20;

/** The columns that make a row long, as far as it was read with them. */
type Weighed = Partial<Readonly<Record<'body' | 'data' | 'terms', string | null>>>;

/** About how many characters the view of a record has. Of a row that was read without contents those are not counted. */
export function weightOf({ body, data, terms }: Weighed): number {
  return EMPTY_WEIGHT + (body?.length ?? 0) + (data?.length ?? 0) + (terms?.length ?? 0) * TERM_WEIGHT;
}

/** The same rows in the same order, at most {@link PORTION_WEIGHT} at a time. A longer row, and one that is yet to be read, is by itself. */
export function* portionsOf<Row extends ListedRow>(rows: readonly Row[]): Generator<Row[]> {
  let portion: Row[] = [];
  let weight = 0;
  for (const row of rows) {
    const added = isUnread(row) ? PORTION_WEIGHT : weightOf(row);
    if (portion.length > 0 && weight + added > PORTION_WEIGHT) {
      yield portion;
      [portion, weight] = [[], 0];
    }
    portion.push(row);
    weight += added;
  }
  if (portion.length > 0) yield portion;
}

/** A whole record, read in a turn of the event loop of its own, since it may be long. `null`: there is none any more. */
export async function wholeRow(reader: Reader, id: number, columns = ALL_COLUMNS): Promise<RecordRow | null> {
  await ownTurn();
  const sql = `SELECT ${columns} FROM records r ${WITH_CONTENTS} WHERE r.id = ?`;
  const [row] = await reader.select<RecordRow>(sql, [id]);
  return row ?? null;
}

/** The same rows in the same order, some at a time: those that were left unread are read one by one. */
export async function* wholeRows(
  reader: Reader,
  rows: readonly ListedRow[],
  columns?: string,
): AsyncGenerator<RecordRow[]> {
  let short: RecordRow[] = [];
  for (const row of rows) {
    if (!isUnread(row)) {
      short.push(row);
      continue;
    }
    if (short.length > 0) yield short;
    short = [];
    const whole = await wholeRow(reader, row.id, columns);
    if (whole) yield [whole];
  }
  if (short.length > 0) yield short;
}

/** The key of rows of the side index that are no values of a field: the terms of a record. */
export const TERMS_KEY = 0;

/** All up to `VALUES` of a statement that writes rows of the side index. Only one of rows with a unique key can be refused. */
export const INSERT_FIELDS =
  'INSERT INTO record_fields (record_id, field_id, pos, num, str, sort_key, unique_key, sort_at)';
