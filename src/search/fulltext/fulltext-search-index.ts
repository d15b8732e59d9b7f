import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { Semaphore } from '../../common/concurrency/semaphore.js';
import type { Reads } from '../../database/statements/reads.js';
import type { UnitOfWork } from '../../database/units/unit-of-work.js';
import { placeholders, select } from '../../database/statements/statement.js';
import { executeLater, insertRows } from '../../database/statements/statement-queue.js';
import {
  SearchIndex,
  type IdRange,
  type SearchDocument,
  type SearchRequest,
  type SearchResult,
} from '../search-index.js';
import { withoutStopWords } from '../text/analysis/stop-words.js';
import { DocumentChanges } from './document-changes.js';
import { FulltextSearch } from './fulltext-search.js';

const DOCUMENTS_PER_INSERT = 100;
/** Going through all rows keeps a connection busy: most of the pool is for others. */
const COUNTS_AT_ONCE = 2;
/** A page of hits takes some 10 KB. */
const MOST_RESULTS = 1_000;
const COLUMNS = ['record_id', 'type_id', 'status', 'sort_at', 'title', 'terms', 'body'];
const INSERT = `INSERT INTO search_documents (${COLUMNS.join(', ')})`;
const UPDATES = COLUMNS.slice(1)
  .map((column) => `${column} = VALUES(${column})`)
  .join(', ');

/** Full-text search of MySQL and MariaDB: a table of its own, written with the records. */
export class FulltextSearchIndex extends SearchIndex {
  private readonly changes: DocumentChanges;
  private readonly results = new LRUCache<string, Promise<SearchResult>>({ max: MOST_RESULTS });
  private readonly counts = new Semaphore(COUNTS_AT_ONCE);

  constructor(
    private readonly reads: Reads,
    unitOfWork: UnitOfWork,
  ) {
    super();
    this.changes = new DocumentChanges(reads, unitOfWork);
  }

  /** Updates rows in place: a column that stays the same is not indexed again, as it would be by replacing the row. */
  async upsert(manager: EntityManager, documents: readonly SearchDocument[]): Promise<void> {
    for (let start = 0; start < documents.length; start += DOCUMENTS_PER_INSERT) {
      const rows = documents
        .slice(start, start + DOCUMENTS_PER_INSERT)
        .map(({ id, typeId, status, sortAt, ...texts }) => [
          ...[id, typeId, status, sortAt],
          ...[texts.title, texts.terms, texts.body].map(withoutStopWords),
        ]);
      await insertRows(manager, INSERT, rows, { tail: `ON DUPLICATE KEY UPDATE ${UPDATES}` });
    }
    await this.changes.note(
      manager,
      documents.map(({ id }) => id),
    );
  }

  async remove(manager: EntityManager, records: readonly { id: number }[]): Promise<void> {
    if (records.length === 0) return;
    const ids = records.map(({ id }) => id);
    await executeLater(manager, `DELETE FROM search_documents WHERE record_id IN (${placeholders(ids)})`, ids);
    await this.changes.note(manager, ids);
  }

  async replace(
    manager: EntityManager,
    typeId: number,
    { after, upTo }: IdRange,
    documents: readonly SearchDocument[],
  ): Promise<void> {
    const kept = new Set(documents.map(({ id }) => id));
    const there = await select<{ id: number | string }>(
      manager,
      'SELECT record_id AS id FROM search_documents WHERE type_id = ? AND record_id > ? AND record_id <= ?',
      [typeId, after, upTo],
    );
    const others = there.map(({ id }) => ({ id: Number(id) })).filter(({ id }) => !kept.has(id));
    await this.remove(manager, others);
    await this.upsert(manager, documents);
  }

  /**
   * Finds what is committed by now: of those who ask the same at once all get one result, and it is used again as long as
   * nothing was written, by whatever process.
   */
  protected async find(request: SearchRequest): Promise<SearchResult> {
    const { reads, changes, counts } = this;
    const key = `${await changes.state()} ${JSON.stringify(request)}`;
    const result = this.results.get(key) ?? new FulltextSearch({ reads, changes, counts }, request).run();
    this.results.set(key, result);
    result.catch(() => this.results.delete(key));
    return result;
  }

  override tidy(): Promise<void> {
    return this.changes.tidy();
  }
}
