import { Reads } from '../../database/statements/reads.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import type { Writer } from '../../database/statements/writer.js';
import { RecordCounts } from '../../records/counting/record-counts.js';
import { RecordDeltas } from '../../records/counting/record-deltas.js';

/**
 * A server leaves changes that wait to be counted, and a database with one writer counts without looking at them.
 * Made without the service, whose settings a restore does not need.
 */
export async function foldCounts(writer: Writer): Promise<void> {
  const { dialect } = writer;
  const reads = new Reads(writer.source);
  const counts = new RecordCounts(reads, new UnitOfWork(writer), new RecordDeltas(dialect), dialect);
  while ((await counts.fold()) > 0);
}
