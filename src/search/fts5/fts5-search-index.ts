import type { OnModuleDestroy } from '@nestjs/common';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { EntityManager } from 'typeorm';
import { isCorrupt, searchDamaged } from '../../database/dialect/database-error.js';
import { ReadingThreads } from '../../database/reading-threads/reading-threads.js';
import { LateWrites } from '../../database/statements/late-writes.js';
import type { Reader } from '../../database/statements/reads.js';
import { execute, placeholders, select } from '../../database/statements/statement.js';
import {
  SearchIndex,
  type IdRange,
  type SearchDocument,
  type SearchRequest,
  type SearchResult,
} from '../search-index.js';
import { isIndexSound } from './fts5-checks.js';
import { rowId, rowIdsOf, rowRangesOf } from './row-ids.js';

/** Without its own copy of the texts. Terms come analysed, so the tokenizer has only to split them at spaces. */
const CREATE_INDEX = `CREATE VIRTUAL TABLE search_index USING fts5(
  title, terms, body,
  content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 0 tokenchars '_'")`;

/**
 * More memory for what is gathered, and fewer merges: twice as quick to write, hardly slower to read. No merges for the
 * sake of deleted documents: FTS5 reads such a segment to its end in one go.
 */
const TUNE_INDEX =
  "INSERT INTO search_index (search_index, rank) VALUES ('hashsize', 8388608), ('automerge', 8), ('deletemerge', 0)";

/** One at a time: FTS5 takes twice as long for several rows in one statement, which it has to be able to take back. */
const INSERT_DOCUMENT = 'INSERT INTO search_index (rowid, title, terms, body) VALUES (?, ?, ?, ?)';

/**
 * Lets FTS5 open an index whose settings are lost or damaged, whatever else is in it: it drops none that it cannot open. The
 * table is the one that it makes itself.
 */
const RESET_SETTINGS = [
  'CREATE TABLE IF NOT EXISTS search_index_config (k PRIMARY KEY, v) WITHOUT ROWID',
  "INSERT OR REPLACE INTO search_index_config (k, v) VALUES ('version', 4)",
];

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

  /** @param reader of the same file, to look through it */
  constructor(
    file: string,
    private readonly reader: Reader,
  ) {
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

  override isSound(): Promise<boolean> {
    return isIndexSound(this.reader);
  }

  /** The tables inside of it go with it, whatever is in them. */
  override async recreate(manager: EntityManager): Promise<void> {
    await writingShadowTables(manager, async () => {
      for (const sql of RESET_SETTINGS) await execute(manager, sql);
    });
    for (const sql of ['DROP TABLE search_index', CREATE_INDEX, TUNE_INDEX]) await execute(manager, sql);
  }
}

function removals(records: readonly { id: number; typeId: number }[]): RowChange[] {
  return records.flatMap(({ id, typeId }) => rowIdsOf(typeId, id)).map((row) => ({ row, columns: null }));
}

function insertions(documents: readonly SearchDocument[]): RowChange[] {
  return documents.map(({ id, typeId, status, title, terms, body }) => ({
    row: rowId(typeId, status, id),
    columns: [title, terms, body],
  }));
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
  for (const some of portionsOf(rows)) {
    const which = some.length === 1 ? '= ?' : `IN (${placeholders(some)})`;
    await execute(manager, `DELETE FROM search_index WHERE rowid ${which}`, some);
  }
}

function* portionsOf(rows: readonly bigint[]): Generator<readonly bigint[]> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) yield rows.slice(start, start + ROWS_AT_ONCE);
}

/** Those of the rows to be removed that the index has. */
async function rowsThere(manager: EntityManager, changes: readonly RowChange[]): Promise<Set<bigint>> {
  const removed = changes.filter(({ columns }) => columns === null).map(({ row }) => row);
  const there = new Set<bigint>();
  for (const some of portionsOf(removed)) {
    // Row ids are beyond what a number holds exactly.
    const sql = `SELECT CAST(id AS TEXT) AS id FROM search_index_docsize WHERE id IN (${placeholders(some)})`;
    for (const { id } of await select<{ id: string }>(manager, sql, some)) there.add(BigInt(id));
  }
  return there;
}

/** What is used of a connection of better-sqlite3. */
interface File {
  unsafeMode(isOn: boolean): void;
}

/**
 * Does work that writes to the tables inside of a virtual table of SQLite, such as a full-text index. The connection takes
 * no such write otherwise.
 */
async function writingShadowTables(manager: EntityManager, work: () => Promise<void>): Promise<void> {
  // The driver is that of SQLite wherever there are virtual tables.
  const { databaseConnection: file } = manager.dataSource.driver as unknown as { readonly databaseConnection: File };
  file.unsafeMode(true);
  try {
    await work();
  } finally {
    file.unsafeMode(false);
  }
}
