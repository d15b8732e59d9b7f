import type { EntityManager } from 'typeorm';
import { execute, placeholders, type SqlValue } from '../../database/statement.js';
import { executeLater } from '../../database/statement-queue.js';

/** One row of the side index, in the order of {@link COLUMNS}. */
export type FieldRow = readonly SqlValue[];

const COLUMNS = ['record_id', 'field_id', 'pos', 'num', 'str', 'unique_key', 'sort_at'];
const UNIQUE_KEY = COLUMNS.indexOf('unique_key');
/** SQLite takes 32,766 values in one statement. */
const ROWS_PER_INSERT = Math.floor(30_000 / COLUMNS.length);

/** Writes rows of the side index, however many there are. Only unique values can be refused. */
export async function insertFieldRows(manager: EntityManager, rows: readonly FieldRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    const some = rows.slice(start, start + ROWS_PER_INSERT);
    const values = some.map((row) => `(${placeholders(row)})`).join(', ');
    const write = some.some((row) => row[UNIQUE_KEY] !== null) ? execute : executeLater;
    await write(manager, `INSERT INTO record_fields (${COLUMNS.join(', ')}) VALUES ${values}`, some.flat());
  }
}
