import type { Dialect } from '../../database/dialect/dialect.js';
import type { Reader } from '../../database/statements/reads.js';
import { recordIdsAfter } from '../../records/rows/record-portions.js';
import { FTS5_DIFFERENCES } from '../fts5/fts5-differences.js';
import { FULLTEXT_DIFFERENCES } from '../fulltext/fulltext-differences.js';
import type { IndexedRecord } from '../search-index.js';

/** What is wrong with the index. */
export interface IndexFaults {
  /** How many records are not found as they are, by the ids of their types. */
  readonly missing: ReadonlyMap<number, number>;
  /** Documents of no record, or of what a record was before. */
  readonly leftOver: readonly IndexedRecord[];
}

const PORTION = 5_000;

/** Holds the index against all records. Texts are not compared. */
export async function indexFaults(reader: Reader, dialect: Dialect): Promise<IndexFaults> {
  const differences = dialect.fileForThreads === null ? FULLTEXT_DIFFERENCES : FTS5_DIFFERENCES;
  const missing = new Map<number, number>();
  const leftOver: IndexedRecord[] = [];
  for (let after = 0; ;) {
    const ids = await recordIdsAfter(reader, after, PORTION);
    const upTo = ids.length < PORTION ? Number.MAX_SAFE_INTEGER : (ids.at(-1) ?? 0);
    const range = { after, upTo };
    for (const { typeId } of await differences.withoutDocument(reader, range)) {
      missing.set(typeId, (missing.get(typeId) ?? 0) + 1);
    }
    leftOver.push(...(await differences.leftOverDocuments(reader, range)));
    if (ids.length < PORTION) return { missing, leftOver };
    after = upTo;
  }
}

/** Jobs that are yet to index records: how many there are, and when the oldest was ordered. */
export async function waitingJobs(reader: Reader): Promise<{ readonly jobs: number; readonly since: number | null }> {
  const [row] = await reader.select<{ jobs: number | string; since: number | string | null }>(
    'SELECT COUNT(*) AS jobs, MIN(created_at) AS since FROM search_jobs',
  );
  const since = row?.since ?? null;
  return { jobs: Number(row?.jobs ?? 0), since: since === null ? null : Number(since) };
}
