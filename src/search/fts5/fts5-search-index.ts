import type { OnModuleDestroy } from '@nestjs/common';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { EntityManager } from 'typeorm';
import { STATUSES } from '../../content-types/definition/content-type.js';
import { isCorrupt, searchDamaged } from '../../database/dialect/database-error.js';
import { ReadingThreads } from '../../database/reading-threads/reading-threads.js';
import { LateWrites } from '../../database/statements/late-writes.js';
import { execute, placeholders, select } from '../../database/statements/statement.js';
import {
  SearchIndex,
  type IdRange,
  type SearchDocument,
  type SearchRequest,
  type SearchResult,
} from '../search-index.js';
import { rowId, rowRangesOf } from './row-ids.js';

/** One at a time: FTS5 takes twice as long for several rows in one statement, which it has to be able to take back. */
const INSERT_DOCUMENT = 'INSERT INTO search_index (rowid, title, terms, body) VALUES (?, ?, ?, ?)';

const PROGRAM = pathToFileURL(join(import.meta.dirname, 'fts5-search.js')).href;
/** Each has a cache and a heap of its own, and takes a core while it searches. */
const MOST_THREADS = 4;

/** After so many documents others get their turn: this is work of the process itself, not of a server. */
const DOCUMENTS_PER_TURN = 10;

/** Characters of terms. FTS5 takes 10 to 40 ms for the row of such a document. */
const LONG_DOCUMENT = 200_000;

/** Row ids that one statement looks up, or removes. */
const ROWS_AT_ONCE = 300;

/** A row that is taken out of the index, or put into it with its columns. */
interface RowChange {
  readonly row: bigint;
  readonly columns: readonly [title: string, terms: string, body: string] | null;
}

/** Full-text search in the file of SQLite: written with the records, read in threads of its own. */
export class Fts5SearchIndex extends SearchIndex implements OnModuleDestroy {
  private readonly threads: ReadingThreads;
  private readonly late = new LateWrites<RowChange>('search_index', written);

  constructor(file: string) {
    super();
    this.threads = new ReadingThreads(file, 'search', { size: Math.min(MOST_THREADS, availableParallelism()) });
  }

  async onModuleDestroy(): Promise<void> {
    await this.threads.stop();
  }

  upsert(manager: EntityManager, documents: readonly SearchDocument[]): Promise<void> {
    return this.late.add(manager, [...removals(documents), ...insertions(documents)]);
  }

  override add(manager: EntityManager, documents: readonly SearchDocument[]): Promise<void> {
    return this.late.add(manager, insertions(documents));
  }

  remove(manager: EntityManager, records: readonly { id: number; typeId: number }[]): Promise<void> {
    return this.late.add(manager, removals(records));
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

  /** @throws {DomainError} `overloaded`, `search_unavailable`: the index is damaged */
  protected async find(request: SearchRequest): Promise<SearchResult> {
    try {
      return await this.threads.call<SearchResult>(PROGRAM, request);
    } catch (error) {
      throw isCorrupt(error) ? searchDamaged(error) : error;
    }
  }
}

/** Removes all row ids that the records may have: the status with which they were indexed is not known. */
function removals(records: readonly { id: number; typeId: number }[]): RowChange[] {
  const changes: RowChange[] = [];
  for (const { id, typeId } of records) {
    for (const status of STATUSES) changes.push({ row: rowId(typeId, status, id), columns: null });
  }
  return changes;
}

function insertions(documents: readonly SearchDocument[]): RowChange[] {
  const changes: RowChange[] = [];
  for (const { id, typeId, status, title, terms, body } of documents) {
    changes.push({ row: rowId(typeId, status, id), columns: [title, terms, body] });
  }
  return changes;
}

/**
 * In the order of the index: FTS5 writes out what it has gathered whenever a row id is smaller than the last one, and
 * whenever one statement deletes several rows, which it has to be able to take back.
 */
async function written(manager: EntityManager, changes: readonly RowChange[]): Promise<void> {
  const there = await rowsThere(manager, changes);
  if (changes.every(({ columns }) => columns === null)) return removeRows(manager, [...there]);
  // Changes of one row stay in their order.
  const sorted = changes.toSorted((a, b) => (a.row < b.row ? -1 : Number(a.row > b.row)));
  let documents = 0;
  for (const { row, columns } of sorted) {
    if (columns === null) {
      if (there.delete(row)) await removeRows(manager, [row]);
      continue;
    }
    const isLong = columns[2].length >= LONG_DOCUMENT;
    if (documents > 0 && (isLong || documents % DOCUMENTS_PER_TURN === 0)) await turn();
    documents += 1;
    await execute(manager, INSERT_DOCUMENT, [row, ...columns]);
    there.add(row);
  }
}

async function removeRows(manager: EntityManager, rows: readonly bigint[]): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const some = rows.slice(start, start + ROWS_AT_ONCE);
    const which = some.length === 1 ? '= ?' : `IN (${placeholders(some)})`;
    await execute(manager, `DELETE FROM search_index WHERE rowid ${which}`, some);
  }
}

/** Rows to be removed that the index has. */
async function rowsThere(manager: EntityManager, changes: readonly RowChange[]): Promise<Set<bigint>> {
  const removed: bigint[] = [];
  for (const { row, columns } of changes) if (columns === null) removed.push(row);
  const there = new Set<bigint>();
  for (let start = 0; start < removed.length; start += ROWS_AT_ONCE) {
    const some = removed.slice(start, start + ROWS_AT_ONCE);
    // Row ids are beyond what a number holds exactly.
    const sql = `SELECT CAST(id AS TEXT) AS id FROM search_index_docsize WHERE id IN (${placeholders(some)})`;
    for (const { id } of await select<{ id: string }>(manager, sql, some)) there.add(BigInt(id));
  }
  return there;
}
