import type { Reader } from '../../database/statements/reads.js';
import { HAS_STATUS, RECORD_ROWS } from '../../records/rows/record-portions.js';
import type { Differences, IdRange, IndexedRecord } from '../search-index.js';

type Typed = Readonly<Record<'id' | 'type_id', number | string>>;

/** A document is that of its record as far as it stands in columns of its own. */
const IS_OF_RECORD = `d.record_id = r.id AND r.trashed_at = 0 AND d.type_id = r.type_id AND d.status = r.status AND ${HAS_STATUS}
  AND d.sort_at = COALESCE(r.published_at, r.created_at)`;

/** What the table of a server finds otherwise than its records are. */
export const FULLTEXT_DIFFERENCES: Differences = { withoutDocument, leftOverDocuments };

async function withoutDocument(reader: Reader, { after, upTo }: IdRange): Promise<readonly IndexedRecord[]> {
  const rows = await reader.select<Typed>(
    `SELECT r.id, r.type_id FROM ${RECORD_ROWS} LEFT JOIN search_documents d ON ${IS_OF_RECORD}
      WHERE r.id > ? AND r.id <= ? AND r.trashed_at = 0 AND ${HAS_STATUS} AND d.record_id IS NULL`,
    [after, upTo],
  );
  return rows.map(indexed);
}

async function leftOverDocuments(reader: Reader, { after, upTo }: IdRange): Promise<readonly IndexedRecord[]> {
  const rows = await reader.select<Typed>(
    `SELECT d.record_id AS id, d.type_id FROM search_documents d LEFT JOIN ${RECORD_ROWS} ON ${IS_OF_RECORD}
      WHERE d.record_id > ? AND d.record_id <= ? AND r.id IS NULL`,
    [after, upTo],
  );
  return rows.map(indexed);
}

function indexed({ id, type_id: typeId }: Typed): IndexedRecord {
  return { id: Number(id), typeId: Number(typeId) };
}
