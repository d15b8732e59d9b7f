import type { Reader } from '../../database/statements/reads.js';
import { placeholders, type SqlValue } from '../../database/statements/statement.js';
import { packedColumns, DamagedSnapshotError } from '../snapshots/stored-snapshot.js';
import type { Snapshot } from '../snapshots/snapshot.js';
import { Unpacking, type UnpackableRow } from '../snapshots/unpacking.js';

/** Snapshots may be long. */
const PORTION = 64;

/** All revisions of some records, in the order of ids and times. Damaged ones are passed over. */
export async function* soundSnapshots(reader: Reader, recordIds: readonly number[]): AsyncGenerator<Snapshot> {
  const unpacking = new Unpacking();
  for (let rest = recordIds, last: UnpackableRow | undefined; rest.length > 0;) {
    const rows = await portion(reader, rest, last);
    for (const row of rows) {
      const snapshot = await unlessDamaged(() => unpacking.snapshot(row));
      if (snapshot) yield snapshot;
    }
    last = rows.at(-1);
    const id = Number(last?.record_id);
    rest = rows.length < PORTION ? [] : rest.filter((one) => one >= id);
  }
}

function portion(
  reader: Reader,
  recordIds: readonly number[],
  last: UnpackableRow | undefined,
): Promise<UnpackableRow[]> {
  const beyond = last ? ' AND NOT (r.record_id = ? AND r.ts <= ?)' : '';
  const values: SqlValue[] = last ? [Number(last.record_id), Number(last.ts)] : [];
  return reader.select<UnpackableRow>(
    `SELECT r.record_id, r.ts, r.base_ts, ${packedColumns('r')} FROM revisions r
      WHERE r.record_id IN (${placeholders(recordIds)})${beyond} ORDER BY r.record_id, r.ts LIMIT ${PORTION}`,
    [...recordIds, ...values],
  );
}

async function unlessDamaged(read: () => Promise<Snapshot>): Promise<Snapshot | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DamagedSnapshotError) return null;
    throw error;
  }
}
