import type { OnModuleDestroy } from '@nestjs/common';
import { setImmediate as turn } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { ReadingThreads } from '../../database/reading-threads/reading-threads.js';
import { execute, placeholders } from '../../database/statement.js';
import {
  SearchIndex,
  type IdRange,
  type SearchDocument,
  type SearchRequest,
  type SearchResult,
} from '../search-index.js';
import { Fts5Search } from './fts5-search.js';
import { rowId, rowIdsOf, rowRangesOf } from './row-ids.js';
import { Totals } from './totals.js';

/** After so many documents others get their turn: this is work of the process itself, not of a server. */
const DOCUMENTS_PER_TURN = 10;
/** One at a time: FTS5 takes twice as long for several rows in one statement, which it has to be able to take back. */
const INSERT = 'INSERT INTO search_index (rowid, title, terms, body) VALUES (?, ?, ?, ?)';

/** Full-text search in the file of SQLite: written with the records, read in a thread of its own. */
export class Fts5SearchIndex extends SearchIndex implements OnModuleDestroy {
  private readonly threads: ReadingThreads;
  private readonly totals = new Totals();

  constructor(file: string, threads = new ReadingThreads(file, 'search')) {
    super();
    this.threads = threads;
  }

  async onModuleDestroy(): Promise<void> {
    await this.threads.stop();
  }

  async upsert(manager: EntityManager, documents: readonly SearchDocument[]): Promise<void> {
    await this.remove(manager, documents);
    await this.insert(manager, documents);
  }

  async remove(manager: EntityManager, records: readonly { id: number; typeId: number }[]): Promise<void> {
    const rows = records.flatMap(({ id, typeId }) => rowIdsOf(typeId, id));
    if (rows.length === 0) return;
    await execute(manager, `DELETE FROM search_index WHERE rowid IN (${placeholders(rows)})`, rows);
  }

  async replace(
    manager: EntityManager,
    typeId: number,
    range: IdRange,
    documents: readonly SearchDocument[],
  ): Promise<void> {
    for (const { from, to } of rowRangesOf(typeId, range)) {
      await execute(manager, 'DELETE FROM search_index WHERE rowid BETWEEN ? AND ?', [from, to]);
    }
    await this.insert(manager, documents);
  }

  search(request: SearchRequest): Promise<SearchResult> {
    return this.threads.within((snapshot) => Fts5Search.run(snapshot, this.totals, request));
  }

  private async insert(manager: EntityManager, documents: readonly SearchDocument[]): Promise<void> {
    // In the order of the index: FTS5 writes out what it has gathered whenever a row id is smaller than the last one.
    const rows = documents
      .map(({ id, typeId, status, title, terms, body }) => [rowId(typeId, status, id), title, terms, body] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    for (const [at, row] of rows.entries()) {
      if (at > 0 && at % DOCUMENTS_PER_TURN === 0) await turn();
      await execute(manager, INSERT, row);
    }
  }
}
