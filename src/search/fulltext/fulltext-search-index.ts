import type { EntityManager } from 'typeorm';
import type { Reads } from '../../database/statements/reads.js';
import type { UnitOfWork } from '../../database/units/unit-of-work.js';
import { execute, placeholders, select } from '../../database/statements/statement.js';
import { executeLater, insertRows } from '../../database/statements/statement-queue.js';
import {
  SearchIndex,
  type IdRange,
  type SearchDocument,
  type SearchRequest,
  type SearchResult,
} from '../search-index.js';
import { withoutStopWords } from '../text/analysis/stop-words.js';
import { FulltextSearch, type Remembered } from './fulltext-search.js';
import { HitLists } from './hit-lists.js';
import { MatchSets } from './match-sets.js';
import { RecordChanges } from '../changes/record-changes.js';

const DOCUMENTS_PER_INSERT = 100;
const CHANGES_PER_INSERT = 1_000;
/** Processes that have not searched for so long begin anew. */
const CHANGES_KEPT_MS = 300_000;
/** So many are put away at a time; fewer stay, and so does the last one. */
const CHANGES_PER_DELETE = 1_000;
/** Of the server, whose clock all processes share. */
const NOW = 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)';
const COLUMNS = ['record_id', 'type_id', 'status', 'sort_at', 'title', 'terms', 'body'];
const INSERT = `INSERT INTO search_documents (${COLUMNS.join(', ')})`;
const UPDATES = COLUMNS.slice(1)
  .map((column) => `${column} = VALUES(${column})`)
  .join(', ');

/** Full-text search of MySQL and MariaDB: a table of its own, written with the records. */
export class FulltextSearchIndex extends SearchIndex {
  private readonly changes: RecordChanges;
  private readonly remembered: Remembered;

  /** @param keptMs how long it stays known which documents were changed, milliseconds */
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly keptMs = CHANGES_KEPT_MS,
  ) {
    super();
    this.changes = new RecordChanges(reads);
    this.remembered = {
      matches: new MatchSets(reads, this.changes),
      lists: new HitLists(reads, this.changes),
    };
  }

  /** What stays the same is not indexed again, as it would be by replacing the row. */
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
    await this.noteChanges(
      manager,
      documents.map(({ id }) => id),
    );
  }

  async remove(manager: EntityManager, records: readonly { id: number }[]): Promise<void> {
    if (records.length === 0) return;
    const ids = records.map(({ id }) => id);
    await executeLater(manager, `DELETE FROM search_documents WHERE record_id IN (${placeholders(ids)})`, ids);
    await this.noteChanges(manager, ids);
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

  search(request: SearchRequest): Promise<SearchResult> {
    return new FulltextSearch(this.reads, this.changes, this.remembered, request).run();
  }

  /** Notes a change of no record. Its time and number together are those of no other database. */
  async noteNothing(): Promise<void> {
    await this.unitOfWork.run((manager) => this.noteChanges(manager, [0]));
  }

  override async tidy(): Promise<void> {
    for (;;) {
      const [row] = await this.reads.select<{ id: number | string; is_old: number | string }>(
        `SELECT id, at < ${NOW} - ? AS is_old FROM search_changes ORDER BY id LIMIT 1 OFFSET ${CHANGES_PER_DELETE}`,
        [this.keptMs],
      );
      if (!row || Number(row.is_old) === 0) return;
      // From the beginning and without a gap: a process that still finds the last one it has seen has missed none.
      await this.unitOfWork.run((manager) =>
        execute(manager, 'DELETE FROM search_changes WHERE id < ?', [Number(row.id)]),
      );
    }
  }

  /** Notes which documents have to be looked at again. */
  private async noteChanges(manager: EntityManager, ids: readonly number[]): Promise<void> {
    for (let start = 0; start < ids.length; start += CHANGES_PER_INSERT) {
      const some = ids.slice(start, start + CHANGES_PER_INSERT);
      const rows = some.map(() => `(?, ${NOW})`).join(', ');
      await executeLater(manager, `INSERT INTO search_changes (record_id, at) VALUES ${rows}`, some);
    }
  }
}
