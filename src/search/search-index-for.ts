import type { Logger } from 'pino';
import type { Dialect } from '../database/dialect/dialect.js';
import type { Reads } from '../database/statements/reads.js';
import type { UnitOfWork } from '../database/units/unit-of-work.js';
import { Fts5SearchIndex } from './fts5/fts5-search-index.js';
import { FulltextSearchIndex } from './fulltext/fulltext-search-index.js';
import { LocalSearchIndex } from './local/local-search-index.js';

interface IndexSources {
  readonly dialect: Dialect;
  readonly reads: Reads;
  readonly unitOfWork: UnitOfWork;
  /** For the local files of all processes; `null`: a server searches by itself. */
  readonly folder: string | null;
  readonly log: Logger;
}

/** A file is searched in threads of our own. A server does it by itself, unless its documents are kept in a file too. */
export function searchIndexFor({ dialect, reads, unitOfWork, folder, log }: IndexSources) {
  if (dialect.fileForThreads !== null) return new Fts5SearchIndex(dialect.fileForThreads);
  const database = new FulltextSearchIndex(reads, unitOfWork);
  return folder === null ? database : new LocalSearchIndex({ reads, database, folder, log });
}
