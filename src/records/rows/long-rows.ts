import { ownTurn } from '../../common/concurrency/own-turn.js';
import type { Reader } from '../../database/statements/reads.js';
import { ALL_COLUMNS, isUnread, WITH_CONTENTS, type ListedRow, type RecordRow, type RowShape } from './record-row.js';

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

/** Whether so much stands in records that their views are made piece by piece. */
export function areLong(rows: readonly RecordRow[]): boolean {
  return rows.reduce((weight, row) => weight + weightOf(row), 0) > PORTION_WEIGHT;
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
export async function wholeRow(
  reader: Reader,
  id: number,
  columns: RowShape<ListedRow>['columns'] = ALL_COLUMNS,
): Promise<RecordRow | null> {
  await ownTurn();
  const sql = `SELECT ${columns} FROM records r ${WITH_CONTENTS} WHERE r.id = ?`;
  const [row] = await reader.select<RecordRow>(sql, [id]);
  return row ?? null;
}

/** The same rows in the same order, some at a time: those that were left unread are read one by one. */
export async function* wholeRows(
  reader: Reader,
  rows: readonly ListedRow[],
  columns?: RowShape<ListedRow>['columns'],
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
