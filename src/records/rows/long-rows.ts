import { ownTurn } from '../../common/concurrency/own-turn.js';
import type { Reader } from '../../database/statements/reads.js';
import { ALL_COLUMNS, isUnread, WITH_CONTENTS, type ListedRow, type RecordRow } from './record-row.js';

/** A whole record, read in a turn of the event loop of its own, since it may be long. `null`: there is none any more. */
export async function wholeRow(reader: Reader, id: number): Promise<RecordRow | null> {
  await ownTurn();
  const sql = `SELECT ${ALL_COLUMNS} FROM records r ${WITH_CONTENTS} WHERE r.id = ?`;
  const [row] = await reader.select<RecordRow>(sql, [id]);
  return row ?? null;
}

/** The same rows in the same order, some at a time: those that were left unread are read one by one. */
export async function* wholeRows(reader: Reader, rows: readonly ListedRow[]): AsyncGenerator<RecordRow[]> {
  let short: RecordRow[] = [];
  for (const row of rows) {
    if (!isUnread(row)) {
      short.push(row);
      continue;
    }
    if (short.length > 0) yield short;
    short = [];
    const whole = await wholeRow(reader, row.id);
    if (whole) yield [whole];
  }
  if (short.length > 0) yield short;
}
