import { isCorrupt } from '../../database/dialect/database-error.js';
import type { Reader } from '../../database/statements/reads.js';
import { HAS_STATUS, RECORD_ROWS } from '../../records/rows/record-portions.js';
import type { Differences, IdRange, IndexedRecord } from '../search-index.js';
import { ID_MASK, recordOf, rowIdOf } from './row-ids.js';

const TREE = /\bTree (\d+)\b/i;

/** Whether the index can be read. It is looked through, about a second for 100,000 documents. */
export async function isIndexSound(reader: Reader): Promise<boolean> {
  try {
    const faults = await reader.select<Readonly<Record<string, string>>>('PRAGMA quick_check');
    const isOfIndex = await indexFaultTest(reader);
    return !faults.flatMap((row) => Object.values(row)).some(isOfIndex);
  } catch (error) {
    if (isCorrupt(error)) return false;
    throw error;
  }
}

/**
 * Tells whether a line of `PRAGMA integrity_check` is about the full-text index: it names the index, or the page at
 * which a table inside of it begins.
 */
export async function indexFaultTest(reader: Reader): Promise<(line: string) => boolean> {
  const rows = await reader.select<{ rootpage: number }>(
    "SELECT rootpage FROM sqlite_schema WHERE tbl_name LIKE 'search\\_index\\_%' ESCAPE '\\' AND rootpage > 0",
  );
  const roots = new Set(rows.map(({ rootpage }) => rootpage));
  return (line) => line.includes('search_index') || roots.has(Number(TREE.exec(line)?.[1]));
}

/** The table in which FTS5 keeps the length of each document: its ids are those of the index. */
const DOCUMENTS = 'search_index_docsize';
const ROW_ID = rowIdOf('r.type_id', 'r.status', 'r.id');

/** What a file of SQLite finds otherwise than its records are. */
export const FTS5_DIFFERENCES: Differences = { withoutDocument, leftOverDocuments };

async function withoutDocument(reader: Reader, { after, upTo }: IdRange): Promise<readonly IndexedRecord[]> {
  const rows = await reader.select<Readonly<Record<'id' | 'type_id', number>>>(
    `SELECT r.id, r.type_id FROM ${RECORD_ROWS}
      WHERE r.id > ? AND r.id <= ? AND r.trashed_at = 0 AND ${HAS_STATUS}
        AND NOT EXISTS (SELECT 1 FROM ${DOCUMENTS} d WHERE d.id = ${ROW_ID})`,
    [after, upTo],
  );
  return rows.map(({ id, type_id: typeId }) => ({ id, typeId }));
}

/** All at once, since ranges of records are none of the index. A number of 64 bits is more than one of JavaScript. */
async function leftOverDocuments(reader: Reader, { after }: IdRange): Promise<readonly IndexedRecord[]> {
  if (after > 0) return [];
  const rows = await reader.select<{ row_id: string }>(
    `SELECT CAST(d.id AS TEXT) AS row_id FROM ${DOCUMENTS} d
      WHERE NOT EXISTS (SELECT 1 FROM ${RECORD_ROWS}
                         WHERE r.id = (d.id & ${ID_MASK}) AND r.trashed_at = 0 AND d.id = ${ROW_ID})`,
  );
  return rows.map(({ row_id: row }) => recordOf(BigInt(row)));
}
