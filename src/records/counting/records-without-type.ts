import { typeIds } from '../../content-types/store/type-rows.js';
import { idsBy } from '../../database/statements/id-portions.js';
import type { Reader } from '../../database/statements/reads.js';
import { REMOVED } from './record-counts.js';

type TypeRef = Readonly<Record<'type_id', number | string>>;

/** Ids of records whose type is not there, and was not just deleted: those are being removed, as a counter of their own says. */
export async function* recordsWithoutType(reader: Reader): AsyncGenerator<number> {
  const removed = await reader.select<TypeRef>('SELECT type_id FROM record_counts WHERE status = ?', [REMOVED]);
  const known = new Set([...(await typeIds(reader)), ...removed.map(({ type_id: id }) => Number(id))]);
  // An index leads to each type: no database goes through all records for that.
  const used = await reader.select<TypeRef>('SELECT DISTINCT type_id FROM records');
  const lost = used.map(({ type_id: type }) => type).filter((type) => !known.has(Number(type)));
  yield* idsBy(reader, { table: 'records', key: 'id', column: 'type_id', values: lost });
}
