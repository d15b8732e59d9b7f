import { Injectable } from '@nestjs/common';
import type { Dialect } from '../../database/dialect/dialect.js';
import type { Reader } from '../../database/statements/reads.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { recordSpans } from '../../records/rows/record-portions.js';
import { FTS5_DIFFERENCES } from '../fts5/fts5-checks.js';
import { FULLTEXT_DIFFERENCES } from '../fulltext/fulltext-differences.js';
import { SearchReindex } from '../indexing/search-reindex.js';
import { SearchIndex, type IndexedRecord } from '../search-index.js';

/** What is wrong with the index. */
interface IndexFaults {
  /** How many records are not found as they are. */
  readonly missing: number;
  /** Documents of no record, or of what a record was before. */
  readonly leftOver: readonly IndexedRecord[];
}

const PORTION = 5_000;
const AT_ONCE = 200;

/** Holds the index against all records. Texts are not compared. */
export async function indexFaults(reader: Reader, dialect: Dialect): Promise<IndexFaults> {
  const differences = dialect.fileForThreads === null ? FULLTEXT_DIFFERENCES : FTS5_DIFFERENCES;
  let missing = 0;
  const leftOver: IndexedRecord[] = [];
  for await (const span of recordSpans(reader, PORTION)) {
    missing += (await differences.withoutDocument(reader, span)).length;
    leftOver.push(...(await differences.leftOverDocuments(reader, span)));
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

/** Makes the index again from all records, while others write. */
@Injectable()
export class SearchRepair {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly index: SearchIndex,
    private readonly reindex: SearchReindex,
  ) {}

  /** @param leftOver documents to drop: what records there are is indexed again behind them */
  async run(leftOver: readonly IndexedRecord[]): Promise<void> {
    for (let start = 0; start < leftOver.length; start += AT_ONCE) {
      const some = leftOver.slice(start, start + AT_ONCE);
      await this.unitOfWork.run((manager) => this.index.remove(manager, some));
    }
    await this.reindex.runWaiting();
    await this.reindex.run(null);
  }
}
