import type { Reader } from './reads.js';
import { placeholders, type SqlValue } from './statement.js';

const PORTION = 1_000;

type Id = Readonly<Record<'id', number | string>>;

/** Rows by the values of a column. All names are those of the feature that has the table. */
interface RowsBy {
  readonly table: string;
  /** The column with the id of a row. */
  readonly key: string;
  readonly column: string;
  readonly values: readonly SqlValue[];
}

/** Ids of the rows that have one of some values in a column, in their order, read some at a time. */
export async function* idsBy(reader: Reader, { table, key, column, values }: RowsBy): AsyncGenerator<number> {
  if (values.length === 0) return;
  for (let last: SqlValue = 0; ;) {
    const rows: readonly Id[] = await reader.select<Id>(
      `SELECT ${key} AS id FROM ${table} WHERE ${column} IN (${placeholders(values)}) AND ${key} > ? ORDER BY ${key} LIMIT ${PORTION}`,
      [...values, last],
    );
    for (const { id } of rows) yield Number(id);
    if (rows.length < PORTION) return;
    last = rows.at(-1)?.id ?? 0;
  }
}
