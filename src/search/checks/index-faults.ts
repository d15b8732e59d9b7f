import type { Dialect } from '../../database/dialect/dialect.js';
import { type Reader, selectNumber } from '../../database/statements/reads.js';
import { HAS_STATUS, RECORD_ROWS, recordSpans } from '../../records/rows/record-portions.js';
import { ID_MASK, recordOf, rowIdOf } from '../fts5/row-ids.js';
import type { IdRange, IndexedRecord } from '../search-index.js';

/** Faults of the index. */
interface IndexFaults {
  /** Number of records that are not found as they are. */
  readonly missing: number;
  /** Documents of no record, or of what a record was before. */
  readonly leftOver: readonly IndexedRecord[];
}

type Row = Readonly<Record<'id' | 'type_id', number | string>>;

const PORTION = 5_000;
const IS_FOUND = `r.trashed_at = 0 AND ${HAS_STATUS}`;
const ROW_ID = rowIdOf('r.type_id', 'r.status', 'r.id');
/** Documents of each engine, and the condition that one is that of its record, as far as it says. */
const FULLTEXT = {
  documents: 'search_documents d',
  isOfRecord: `d.record_id = r.id AND d.type_id = r.type_id AND d.status = r.status
    AND d.sort_at = COALESCE(r.published_at, r.created_at)`,
};
/** FTS5 keeps the length of each document in a table: its ids are those of the index. */
const FTS5 = { documents: 'search_index_docsize d', isOfRecord: `d.id = ${ROW_ID}` };

/** Compares the index with all records: a unit of work writes both. Texts are not compared. */
export async function indexFaults(reader: Reader, { fileForThreads }: Dialect): Promise<IndexFaults> {
  const isServer = fileForThreads === null;
  let missing = 0;
  const leftOver: IndexedRecord[] = isServer ? [] : await leftOverRows(reader);
  for await (const span of recordSpans(reader, PORTION)) {
    missing += await countMissing(reader, isServer ? FULLTEXT : FTS5, span);
    if (isServer) leftOver.push(...(await leftOverDocuments(reader, span)));
  }
  return { missing, leftOver };
}

/** Jobs that are yet to index records: how many there are, and when the oldest was ordered. */
export async function waitingJobs(reader: Reader): Promise<{ readonly jobs: number; readonly since: number }> {
  const [row] = await reader.select<{ jobs: number | string; since: number | string | null }>(
    'SELECT COUNT(*) AS jobs, MIN(created_at) AS since FROM search_jobs',
  );
  return { jobs: Number(row?.jobs), since: Number(row?.since ?? 0) };
}

/** Number of records outside the trash in a range that have no document of their type, status and time. */
function countMissing(reader: Reader, index: typeof FTS5, { after, upTo }: IdRange): Promise<number> {
  return selectNumber(
    reader,
    `SELECT COUNT(*) AS n FROM ${RECORD_ROWS} WHERE r.id > ? AND r.id <= ? AND ${IS_FOUND}
        AND NOT EXISTS (SELECT 1 FROM ${index.documents} WHERE ${index.isOfRecord})`,
    [after, upTo],
  );
}

async function leftOverDocuments(reader: Reader, { after, upTo }: IdRange): Promise<readonly IndexedRecord[]> {
  const rows = await reader.select<Row>(
    `SELECT d.record_id AS id, d.type_id FROM ${FULLTEXT.documents} WHERE d.record_id > ? AND d.record_id <= ?
        AND NOT EXISTS (SELECT 1 FROM ${RECORD_ROWS} WHERE ${FULLTEXT.isOfRecord} AND ${IS_FOUND})`,
    [after, upTo],
  );
  return rows.map(({ id, type_id: typeId }) => ({ id: Number(id), typeId: Number(typeId) }));
}

/** All at once, since ranges of records are none of this index. A number of 64 bits is more than one of JavaScript. */
async function leftOverRows(reader: Reader): Promise<IndexedRecord[]> {
  const rows = await reader.select<{ row_id: string }>(
    `SELECT CAST(d.id AS TEXT) AS row_id FROM ${FTS5.documents}
      WHERE NOT EXISTS (SELECT 1 FROM ${RECORD_ROWS}
                         WHERE r.id = (d.id & ${ID_MASK}) AND ${IS_FOUND} AND ${FTS5.isOfRecord})`,
  );
  return rows.map(({ row_id: row }) => recordOf(BigInt(row)));
}
