import type { OnModuleDestroy } from '@nestjs/common';
import { setImmediate as turn } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { execute, placeholders } from '../../database/statements/statement.js';
import { TIMES_OF_RECORDS } from '../../records/rows/record-portions.js';
import {
  SearchIndex,
  type IdRange,
  type SearchDocument,
  type SearchRequest,
  type SearchResult,
} from '../search-index.js';
import { INSERT_DOCUMENT } from './fts5-table.js';
import { Fts5Threads } from './fts5-threads.js';
import { rowId, rowIdsOf, rowRangesOf } from './row-ids.js';

/** After so many documents others get their turn: this is work of the process itself, not of a server. */
const DOCUMENTS_PER_TURN = 10;

/** Characters of terms. FTS5 takes 10 to 40 ms for the row of such a document, and as long again to write it out. */
const LONG_DOCUMENT = 200_000;
/** FTS5 writes out what it has gathered when a savepoint is released; otherwise all of it at the commit. */
const WRITE_OUT = ['SAVEPOINT search_write_out', 'RELEASE search_write_out'];

/** Full-text search in the file of SQLite: written with the records, read in threads of its own. */
export class Fts5SearchIndex extends SearchIndex implements OnModuleDestroy {
  private readonly threads: Fts5Threads;

  constructor(file: string) {
    super();
    this.threads = new Fts5Threads(file, TIMES_OF_RECORDS);
  }

  async onModuleDestroy(): Promise<void> {
    await this.threads.stop();
  }

  async upsert(manager: EntityManager, documents: readonly SearchDocument[]): Promise<void> {
    await this.remove(manager, documents);
    await this.add(manager, documents);
  }

  override async add(manager: EntityManager, documents: readonly SearchDocument[]): Promise<void> {
    // In the order of the index: FTS5 writes out what it has gathered whenever a row id is smaller than the last one.
    const rows = documents
      .map(({ id, typeId, status, title, terms, body }) => [rowId(typeId, status, id), title, terms, body] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    for (const [at, row] of rows.entries()) {
      if (at > 0 && at % DOCUMENTS_PER_TURN === 0) await turn();
      await execute(manager, INSERT_DOCUMENT, row);
      if (row[3].length >= LONG_DOCUMENT) await writtenOut(manager);
    }
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
    await this.add(manager, documents);
  }

  search(request: SearchRequest): Promise<SearchResult> {
    return this.threads.search(request);
  }
}

/** Writes out a long document in a turn of its own, so that insertion, writing and commit do not hold the process at once. */
async function writtenOut(manager: EntityManager): Promise<void> {
  await turn();
  for (const sql of WRITE_OUT) await execute(manager, sql, []);
  await turn();
}
