import { on } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Format } from './guess-format.js';
import type { ImportEntry } from './import-entry.js';

/** What is to be read. */
export interface Task {
  readonly format: Format;
  readonly path: string;
  /** Whether texts of a table may have the apostrophe of an export before them; otherwise true. */
  readonly isGuarded?: boolean;
}

type Message = readonly ImportEntry[] | null;

/** Batches that the thread is ahead, so that the next unit of work is read while this one is written. */
const AHEAD = 8;

/**
 * The entries of a file or folder, read in a thread of their own: writing them has the processor to itself.
 * The thread ends with the last entry, or when no more are wanted. What a reader throws is thrown here.
 */
export async function* readInThread(task: Task): AsyncGenerator<ImportEntry> {
  const thread = new Worker(join(import.meta.dirname, 'reading-thread.js'), {
    workerData: task,
    // Options of this process are not for the thread.
    execArgv: [],
    name: 'import',
  });
  // Once no more is wanted there is no other listener, and an error without one ends the process.
  thread.on('error', () => undefined);
  const messages = on(thread, 'message', { close: ['exit'] }) as AsyncIterable<[Message]>;
  try {
    for (let asked = 0; asked < AHEAD; asked += 1) thread.postMessage('more');
    for await (const [batch] of messages) {
      if (batch === null) return;
      yield* batch;
      thread.postMessage('more');
    }
    throw new Error('The thread that reads what is to be imported has ended too early.');
  } finally {
    await thread.terminate();
  }
}
