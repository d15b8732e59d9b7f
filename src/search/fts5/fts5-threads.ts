import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ReadingThreads } from '../../database/reading-threads/reading-threads.js';
import type { SearchRequest, SearchResult } from '../search-index.js';
import type { FileSearch } from './search-program.js';

const PROGRAM = pathToFileURL(join(import.meta.dirname, 'search-program.js')).href;
/** Each has a cache and a heap of its own, and takes a core while it searches. */
const MOST_THREADS = 4;

/** Searches of an FTS5 index, away from the thread that answers requests: as many at once as there are cores. */
export class Fts5Threads {
  private readonly threads: ReadingThreads;

  /** @param times a statement for the times at which records of the file were published, or made: `id` and `at` */
  constructor(
    file: string,
    private readonly times: string,
  ) {
    this.threads = new ReadingThreads(file, 'search', { size: Math.min(MOST_THREADS, availableParallelism()) });
  }

  /** @throws {DomainError} `overloaded` */
  search(request: SearchRequest): Promise<SearchResult> {
    const { query, offset, limit } = request;
    // Types are richer than what a search asks of them, and all of that would be copied.
    const within = request.within.map(({ typeId, statuses }) => ({ typeId, statuses }));
    const search: FileSearch = { request: { query, within, offset, limit }, times: this.times };
    return this.threads.call<SearchResult>(PROGRAM, search);
  }

  stop(): Promise<void> {
    return this.threads.stop();
  }
}
