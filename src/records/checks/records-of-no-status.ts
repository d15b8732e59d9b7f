import type { Reader } from '../../database/statements/reads.js';
import { HAS_STATUS, RECORD_ROWS, recordIdsAfter } from '../rows/record-portions.js';

type Id = Readonly<Record<'id', number | string>>;

const PORTION = 5_000;

/** Ids of records whose status is none that there is, in their order: a portion of all records is read at a time. */
export async function* recordsOfNoStatus(reader: Reader): AsyncGenerator<number> {
  for (let after = 0; ;) {
    const ids = await recordIdsAfter(reader, after, PORTION);
    const upTo = ids.length < PORTION ? Number.MAX_SAFE_INTEGER : (ids.at(-1) ?? 0);
    const rows = await reader.select<Id>(
      `SELECT r.id FROM ${RECORD_ROWS} WHERE r.id > ? AND r.id <= ? AND NOT (${HAS_STATUS}) ORDER BY r.id`,
      [after, upTo],
    );
    for (const { id } of rows) yield Number(id);
    if (ids.length < PORTION) return;
    after = upTo;
  }
}
