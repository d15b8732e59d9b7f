import { typeNameOf } from '../../content-types/store/type-rows.js';
import type { Reader } from '../../database/statements/reads.js';
import { RECORD_ROWS, recordIdsAfter } from '../../records/rows/record-portions.js';

/** A record of which the newest revision is not its present state. */
export interface UnrecordedState {
  readonly recordId: number;
  /** Name of its content type; `null`: there is none. */
  readonly type: string | null;
  readonly version: number;
  /** Of its newest revision; `null`: it has none. */
  readonly revision: number | null;
  readonly isTrashed: boolean;
}

export interface NewestReport {
  readonly records: number;
  readonly unrecorded: number;
  /** The first of them. */
  readonly examples: readonly UnrecordedState[];
  /** Records that are gone and have left revisions behind. */
  readonly leftOver: number;
}

interface Row {
  readonly id: number | string;
  readonly type_id: number | string;
  readonly version: number | string;
  readonly revision: number | string | null;
  readonly trashed_at: number | string;
}

const PORTION = 5_000;
const MAX_EXAMPLES = 20;
const NEWEST = `(SELECT v.version FROM revisions v WHERE v.record_id = r.id ORDER BY v.ts DESC LIMIT 1)`;

/** Whether the newest revision of each record has its version. To put a record into the trash makes a version and no revision. */
export async function checkNewest(reader: Reader): Promise<NewestReport> {
  const report = { records: 0, unrecorded: 0, leftOver: 0 };
  const examples: UnrecordedState[] = [];
  for (let after = 0; ;) {
    const ids = await recordIdsAfter(reader, after, PORTION);
    const upTo = ids.length < PORTION ? Number.MAX_SAFE_INTEGER : (ids.at(-1) ?? 0);
    const rows = await unrecorded(reader, after, upTo);
    report.records += ids.length;
    report.unrecorded += rows.length;
    report.leftOver += await leftOverRecords(reader, after, upTo);
    for (const row of rows.slice(0, MAX_EXAMPLES - examples.length)) examples.push(await named(reader, row));
    if (ids.length < PORTION) return { ...report, examples };
    after = upTo;
  }
}

/** One statement for the record and its revision, which are written together. */
function unrecorded(reader: Reader, after: number, upTo: number): Promise<Row[]> {
  return reader.select<Row>(
    `SELECT id, type_id, version, revision, trashed_at
       FROM (SELECT r.id, r.type_id, r.version, r.trashed_at, ${NEWEST} AS revision FROM ${RECORD_ROWS}
              WHERE r.id > ? AND r.id <= ?) states
      WHERE COALESCE(revision, 0) <> version - CASE WHEN trashed_at > 0 THEN 1 ELSE 0 END ORDER BY id`,
    [after, upTo],
  );
}

async function leftOverRecords(reader: Reader, after: number, upTo: number): Promise<number> {
  const [row] = await reader.select<{ n: number | string }>(
    `SELECT COUNT(DISTINCT v.record_id) AS n FROM revisions v LEFT JOIN ${RECORD_ROWS} ON r.id = v.record_id
      WHERE v.record_id > ? AND v.record_id <= ? AND r.id IS NULL`,
    [after, upTo],
  );
  return Number(row?.n ?? 0);
}

async function named(reader: Reader, row: Row): Promise<UnrecordedState> {
  const type = await typeNameOf(reader, Number(row.type_id));
  const revision = row.revision === null ? null : Number(row.revision);
  const isTrashed = Number(row.trashed_at) > 0;
  return { recordId: Number(row.id), type, version: Number(row.version), revision, isTrashed };
}
