// The thread of `readInThread`: posts a batch of entries for each message that asks for one, and null behind the last one.
import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { batchesOf } from './entry-batches.js';
import type { Task } from './read-in-thread.js';
import { READERS } from './readers.js';

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
