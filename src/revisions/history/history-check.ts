import { isTime } from '../../common/text/time-text.js';
import { typeNameOf } from '../../content-types/store/type-rows.js';
import type { Dialect } from '../../database/dialect/dialect.js';
import type { Reader } from '../../database/statements/reads.js';
import { typesOfRecords } from '../../records/rows/record-portions.js';
import { changedIn } from './changed-cell.js';
import { packedColumns, DamagedSnapshotError } from '../snapshots/stored-snapshot.js';
import { Unpacking, type UnpackableRow } from '../snapshots/unpacking.js';

/** A revision that cannot be read, or that says something else than what was written. */
export interface DamagedRevision {
  readonly recordId: number;
  /** Name of its content type; `null`: there is no such record. */
  readonly type: string | null;
  readonly ts: number | string;
  readonly reason: string;
}

export interface HistoryReport {
  /** How many revisions there are. */
  readonly revisions: number;
  readonly damaged: number;
  /** The first of them. */
  readonly examples: readonly DamagedRevision[];
}

interface CheckedRow extends UnpackableRow {
  readonly changed: string;
}

/** Snapshots may be long. */
const PORTION = 64;
const MAX_EXAMPLES = 20;
const KEY = ['record_id', 'ts'];

/** Unpacks every revision and holds it against its checksum, some at a time. */
export async function checkHistories(reader: Reader, dialect: Dialect): Promise<HistoryReport> {
  const report = { revisions: 0, damaged: 0 };
  const examples: DamagedRevision[] = [];
  const unpacking = new Unpacking();
  for await (const row of allRevisions(reader, dialect)) {
    report.revisions += 1;
    const reason = await faultOf(unpacking, row);
    if (reason === null) continue;
    report.damaged += 1;
    if (examples.length < MAX_EXAMPLES) examples.push(await named(reader, row, reason));
  }
  return { ...report, examples };
}

async function* allRevisions(reader: Reader, dialect: Dialect): AsyncGenerator<CheckedRow> {
  for (let last: CheckedRow | undefined; ;) {
    const after = last && dialect.comesAfter(KEY, [Number(last.record_id), Number(last.ts)]);
    const rows: CheckedRow[] = await reader.select<CheckedRow>(
      `SELECT record_id, ts, base_ts, changed, ${packedColumns('revisions')} FROM revisions
        ${after ? `WHERE ${after.sql}` : ''} ORDER BY record_id, ts LIMIT ${PORTION}`,
      after?.values ?? [],
    );
    yield* rows;
    last = rows.at(-1);
    if (rows.length < PORTION) return;
  }
}

async function faultOf(unpacking: Unpacking, row: CheckedRow): Promise<string | null> {
  if (!isTime(Number(row.ts))) return 'Its time is none.';
  try {
    changedIn(row.changed);
    await unpacking.snapshot(row);
    return null;
  } catch (error) {
    if (!(error instanceof DamagedSnapshotError)) throw error;
    return error.message;
  }
}

async function named(reader: Reader, row: UnpackableRow, reason: string): Promise<DamagedRevision> {
  const recordId = Number(row.record_id);
  const typeId = (await typesOfRecords(reader, [recordId])).get(recordId);
  const type = typeId === undefined ? null : await typeNameOf(reader, typeId);
  return { recordId, type, ts: row.ts, reason };
}
