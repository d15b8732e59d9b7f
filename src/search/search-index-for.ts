import type { Dialect } from '../database/dialect/dialect.js';
import type { Reads } from '../database/statements/reads.js';
import type { UnitOfWork } from '../database/units/unit-of-work.js';
import { Fts5SearchIndex } from './fts5/fts5-search-index.js';
import { FulltextSearchIndex } from './fulltext/fulltext-search-index.js';
import type { SearchIndex } from './search-index.js';

/** The index of a database: SQLite is searched in threads of our own, MySQL and MariaDB search by themselves. */
export function searchIndexFor(dialect: Dialect, reads: Reads, unitOfWork: UnitOfWork): SearchIndex {
  const file = dialect.fileForThreads;
  return file === null ? new FulltextSearchIndex(reads, unitOfWork) : new Fts5SearchIndex(file, reads);
}
