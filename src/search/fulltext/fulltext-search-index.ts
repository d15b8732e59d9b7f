import type { EntityManager } from 'typeorm';
import type { Reads } from '../../database/reads.js';
import type { UnitOfWork } from '../../database/unit-of-work.js';
import { execute, placeholders } from '../../database/statement.js';
import {
  SearchIndex,
  type IdRange,
  type SearchDocument,
  type SearchRequest,
  type SearchResult,
} from '../search-index.js';
import { FulltextSearch } from './fulltext-search.js';
import { Totals } from '../totals.js';

const DOCUMENTS_PER_INSERT = 100;
/** Changes only tell that there was one; those that are not yet committed are hardly ever among older ones. */
const CHANGES_KEPT = 1_000;
const COLUMNS = ['record_id', 'type_id', 'status', 'sort_at', 'title', 'terms', 'body'];

/** Full-text search of MySQL and MariaDB: a table of its own, written with the records. */
export class FulltextSearchIndex extends SearchIndex {
  private readonly totals = new Totals();

  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super();
  }

  /** What stays the same is not indexed again, as it would be by replacing the row. */
  async upsert(manager: EntityManager, documents: readonly SearchDocument[]): Promise<void> {
    const updates = COLUMNS.slice(1).map((column) => `${column} = VALUES(${column})`);
    for (let start = 0; start < documents.length; start += DOCUMENTS_PER_INSERT) {
      const some = documents.slice(start, start + DOCUMENTS_PER_INSERT);
      await execute(
        manager,
        `INSERT INTO search_documents (${COLUMNS.join(', ')}) VALUES ${some.map(() => `(${placeholders(COLUMNS)})`).join(', ')}
         ON DUPLICATE KEY UPDATE ${updates.join(', ')}`,
        some.flatMap(({ id, typeId, status, sortAt, title, terms, body }) => [
          id,
          typeId,
          status,
          sortAt,
          title,
          terms,
          body,
        ]),
      );
    }
    await this.noteChange(manager);
  }

  async remove(manager: EntityManager, records: readonly { id: number }[]): Promise<void> {
    if (records.length === 0) return;
    const ids = records.map(({ id }) => id);
    await execute(manager, `DELETE FROM search_documents WHERE record_id IN (${placeholders(ids)})`, ids);
    await this.noteChange(manager);
  }

  async replace(
    manager: EntityManager,
    typeId: number,
    { after, upTo }: IdRange,
    documents: readonly SearchDocument[],
  ): Promise<void> {
    const kept = documents.map(({ id }) => id);
    const others = kept.length === 0 ? '' : ` AND record_id NOT IN (${placeholders(kept)})`;
    await execute(
      manager,
      `DELETE FROM search_documents WHERE type_id = ? AND record_id > ? AND record_id <= ?${others}`,
      [typeId, after, upTo, ...kept],
    );
    await this.upsert(manager, documents);
  }

  search(request: SearchRequest): Promise<SearchResult> {
    return new FulltextSearch(this.reads, this.totals, request).run();
  }

  override async tidy(): Promise<void> {
    const [row] = await this.reads.select<{ last: number | string | null }>(
      'SELECT MAX(id) AS last FROM search_changes',
    );
    const old = Number(row?.last ?? 0) - CHANGES_KEPT;
    if (old <= 0) return;
    await this.unitOfWork.run((manager) => execute(manager, 'DELETE FROM search_changes WHERE id <= ?', [old]));
  }

  /** Tells that totals have to be counted anew. Appended, since a row that all writers change would make them wait. */
  private async noteChange(manager: EntityManager): Promise<void> {
    await execute(manager, 'INSERT INTO search_changes () VALUES ()');
  }
}
