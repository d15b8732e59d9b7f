// The thread of `readInThread`: posts a batch of entries for each message that asks for one, and null behind the last one.
import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import type { Task } from './read-in-thread.js';
import { READERS } from './readers.js';
import type { ImportEntry } from './import-entry.js';

const MAX_ENTRIES = 125;
/** Characters of bodies. */
const MAX_LENGTH = 500_000;

/** Entries in portions that are worth a message to another thread, and small in memory. */
async function* batchesOf(entries: AsyncIterable<ImportEntry>): AsyncGenerator<readonly ImportEntry[]> {
  let batch: ImportEntry[] = [];
  let length = 0;
  for await (const entry of entries) {
    batch.push(entry);
    length += entry.kind === 'item' ? (entry.body?.length ?? 0) : 0;
    if (batch.length < MAX_ENTRIES && length < MAX_LENGTH) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield batch;
}

if (parentPort === null) throw new Error('This file is for a thread.');
const { format, path, isGuarded = true } = workerData as Task;
const demand = on(parentPort, 'message');
for await (const batch of batchesOf(READERS[format](path, isGuarded))) {
  await demand.next();
  parentPort.postMessage(batch);
}
await demand.next();
parentPort.postMessage(null);
parentPort.close();
