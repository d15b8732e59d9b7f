import type { ThreadProgram } from '../../database/reading-threads/thread-file.js';
import type { SearchRequest, SearchResult } from '../search-index.js';
import { Fts5Search } from './fts5-search.js';

/** One search, as a message to a reading thread. */
export interface FileSearch {
  readonly request: SearchRequest;
  /** A statement for the times at which records were published, or made: `id` and `at`. */
  readonly times: string;
}

/** Runs in a reading thread: a search is one message there and one back. */
export const run: ThreadProgram<FileSearch, SearchResult> = (file, { request, times }) =>
  Fts5Search.run(file, times, request);
