import type { ThreadFile, ThreadProgram } from '../../database/reading-threads/thread-file.js';
import { INSERT_DOCUMENT } from '../fts5/fts5-table.js';
import { rowId } from '../fts5/row-ids.js';
import type { SearchDocument } from '../search-index.js';
import { withStopWords } from '../text/analysis/stop-words.js';

/** What is changed at once. */
export interface LocalChange {
  /** Records whose documents go. */
  readonly gone: readonly number[];
  /** Documents that come, or take the place of others, as a server keeps them. */
  readonly documents: readonly SearchDocument[];
  /** What the file says of itself, by name. */
  readonly notes: Readonly<Record<string, string>>;
}

const FORGET_ROW = 'DELETE FROM search_index WHERE rowid = (SELECT row FROM documents WHERE id = ?)';
const FORGET = 'DELETE FROM documents WHERE id = ?';
const NOTE = 'INSERT INTO documents (id, row, at) VALUES (?, ?, ?)';
const SAY = 'INSERT INTO notes (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value';

/** Runs in the thread that writes the local file. */
export const run: ThreadProgram<LocalChange, null> = ({ prepare }, { gone, documents, notes }) => {
  forget(prepare, [...gone, ...documents.map(({ id }) => id)]);
  // In the order of the index: FTS5 writes out what it has gathered whenever a row id is smaller than the last one.
  const rows = documents
    .map((document) => ({ ...document, row: rowId(document.typeId, document.status, document.id) }))
    .sort((a, b) => (a.row < b.row ? -1 : 1));
  for (const { id, row, sortAt, title, terms, body } of rows) {
    prepare(INSERT_DOCUMENT).run(row, withStopWords(title), withStopWords(terms), withStopWords(body));
    prepare(NOTE).run(id, row, sortAt);
  }
  for (const [name, value] of Object.entries(notes)) prepare(SAY).run(name, value);
  return null;
};

function forget(prepare: ThreadFile['prepare'], ids: readonly number[]): void {
  for (const id of ids) {
    prepare(FORGET_ROW).run(id);
    prepare(FORGET).run(id);
  }
}
