import type { ImportEntry } from './import-entry.js';

const MAX_ENTRIES = 125;
/** Characters of bodies. */
const MAX_LENGTH = 500_000;

/** Entries in portions that are worth a message to another thread, and small in memory. */
export async function* batchesOf(entries: AsyncIterable<ImportEntry>): AsyncGenerator<readonly ImportEntry[]> {
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
