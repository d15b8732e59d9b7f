import type { ThreadProgram } from '../../database/reading-threads/thread-connection.js';
import type { SearchRequest, SearchResult } from '../search-index.js';
import { Fts5Search } from './fts5-search.js';

/** Runs in a reading thread: a search is one message there and one back. */
export const run: ThreadProgram<SearchRequest, SearchResult> = (file, request) => Fts5Search.run(file, request);
