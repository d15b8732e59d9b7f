import { isTime } from '../../common/text/time-text.js';
import { typeNameOf } from '../../content-types/store/type-rows.js';
import { selectIds, type Reader } from '../../database/statements/reads.js';
import { RECORD_ROWS, recordIdsAfter, typesOfRecords } from '../../records/rows/record-portions.js';
import { DamagedSnapshotError, unpacked } from '../snapshots/stored-snapshot.js';
import { changedIn } from './revision-reader.js';

/** The number of things that were looked at, the number of them that have a fault, and the first of those. */
interface HistoryReport<Fault> {
  readonly all: number;
  readonly faulty: number;
  readonly examples: readonly Fault[];
}

/** A revision that cannot be read, or that says something else than what was written. */
export interface DamagedRevision {
  readonly recordId: number;
  /** Name of its content type; `null`: there is no such record. */
  readonly type: string | null;
  readonly ts: number | string;
  readonly reason: string;
}

/** A record of which the newest revision is not its present state. */
export interface UnrecordedState {
  readonly recordId: number;
  /** Name of its content type; `null`: there is none. */
  readonly type: string | null;
  readonly version: number;
  /** The version of its newest revision; `null`: it has none. */
  readonly revision: number | null;
  readonly isTrashed: boolean;
}

type Number64 = number | string;

interface RevisionRow {
  readonly record_id: Number64;
  readonly ts: Number64;
  readonly changed: string;
  readonly snapshot: Buffer;
}

type StateRow = Readonly<Record<'id' | 'type_id' | 'version' | 'trashed_at', Number64> & { revision: Number64 | null }>;

/** Snapshots may be long. */
const SNAPSHOTS = 64;
const RECORDS = 5_000;
const MAX_EXAMPLES = 20;
const NEWEST = `(SELECT v.version FROM revisions v WHERE v.record_id = r.id ORDER BY v.ts DESC LIMIT 1)`;

/** Unpacks every revision, some at a time. */
export async function checkHistories(reader: Reader): Promise<HistoryReport<DamagedRevision>> {
  const report = { all: 0, faulty: 0 };
  const examples: DamagedRevision[] = [];
  for await (const row of allRevisions(reader)) {
    report.all += 1;
    const reason = await faultOf(row);
    if (reason === null) continue;
    report.faulty += 1;
    if (examples.length < MAX_EXAMPLES) examples.push(await damaged(reader, row, reason));
  }
  return { ...report, examples };
}

/** Compares the newest revision of each record with its version. The trash makes a version and no revision. */
export async function checkNewest(reader: Reader): Promise<HistoryReport<UnrecordedState>> {
  const report = { all: 0, faulty: 0 };
  const examples: UnrecordedState[] = [];
  for (let after = 0; ;) {
    const ids = await recordIdsAfter(reader, after, RECORDS);
    const upTo = ids.at(-1);
    if (upTo === undefined) return { ...report, examples };
    const rows = await unrecorded(reader, after, upTo);
    report.all += ids.length;
    report.faulty += rows.length;
    for (const row of rows.slice(0, MAX_EXAMPLES - examples.length)) examples.push(await unrecordedState(reader, row));
    after = upTo;
  }
}

/** Ids of records that are gone and have left revisions. */
export function revisionsWithoutRecord(reader: Reader): Promise<number[]> {
  const sql = `SELECT DISTINCT v.record_id AS id FROM revisions v LEFT JOIN ${RECORD_ROWS} ON r.id = v.record_id
    WHERE r.id IS NULL ORDER BY v.record_id`;
  return selectIds(reader, sql);
}

async function* allRevisions(reader: Reader): AsyncGenerator<RevisionRow> {
  for (let id: Number64 = 0, ts: Number64 = 0; ;) {
    const rows: RevisionRow[] = await reader.select<RevisionRow>(
      `SELECT record_id, ts, changed, snapshot FROM revisions
        WHERE record_id >= ? AND NOT (record_id = ? AND ts <= ?) ORDER BY record_id, ts LIMIT ${SNAPSHOTS}`,
      [id, id, ts],
    );
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < SNAPSHOTS) return;
    ({ record_id: id, ts } = last);
  }
}

async function faultOf({ ts, changed, snapshot }: RevisionRow): Promise<string | null> {
  if (!isTime(Number(ts))) return 'Its time is none.';
  if (changedIn(changed) === null) return 'What it changed cannot be read.';
  try {
    await unpacked(snapshot);
    return null;
  } catch (error) {
    if (!(error instanceof DamagedSnapshotError)) throw error;
    return error.message;
  }
}

async function damaged(reader: Reader, { record_id, ts }: RevisionRow, reason: string): Promise<DamagedRevision> {
  const recordId = Number(record_id);
  const typeId = (await typesOfRecords(reader, [recordId])).get(recordId);
  const type = typeId === undefined ? null : await typeNameOf(reader, typeId);
  return { recordId, type, ts, reason };
}

/** One statement for the record and its revision, which are written together. */
function unrecorded(reader: Reader, after: number, upTo: number): Promise<StateRow[]> {
  return reader.select<StateRow>(
    `SELECT id, type_id, version, revision, trashed_at
       FROM (SELECT r.id, r.type_id, r.version, r.trashed_at, ${NEWEST} AS revision FROM ${RECORD_ROWS}
              WHERE r.id > ? AND r.id <= ?) states
      WHERE COALESCE(revision, 0) <> version - CASE WHEN trashed_at > 0 THEN 1 ELSE 0 END ORDER BY id`,
    [after, upTo],
  );
}

async function unrecordedState(reader: Reader, row: StateRow): Promise<UnrecordedState> {
  const type = await typeNameOf(reader, Number(row.type_id));
  const revision = row.revision === null ? null : Number(row.revision);
  const isTrashed = Number(row.trashed_at) > 0;
  return { recordId: Number(row.id), type, version: Number(row.version), revision, isTrashed };
}
