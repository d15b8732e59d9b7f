import type { Reader } from '../../../database/statements/reads.js';
import type { RecordHistory, StoredRevision } from '../../../records/record-history.port.js';
import type { SoundRows } from './sound-rows.js';

/** Which revisions of some records can be written down. */
export class SoundRevisions {
  private readonly counts = new Map<number, number>();
  private readonly damaged = new Set<string>();

  private constructor(private readonly sound: SoundRows) {}

  static async of(
    reader: Reader,
    history: RecordHistory,
    recordIds: readonly number[],
    sound: SoundRows,
  ): Promise<SoundRevisions> {
    const revisions = new SoundRevisions(sound);
    for await (const row of history.stored(reader, recordIds)) revisions.take(row);
    return revisions;
  }

  countOf(recordId: number): number {
    return this.counts.get(recordId) ?? 0;
  }

  has({ recordId, ts }: { readonly recordId: number; readonly ts: number }): boolean {
    return !this.damaged.has(keyOf(recordId, ts));
  }

  private take(row: StoredRevision): void {
    const [recordId, ts] = [Number(row.record_id), Number(row.ts)];
    if (this.sound.has('revisions', row)) this.counts.set(recordId, this.countOf(recordId) + 1);
    else this.damaged.add(keyOf(recordId, ts));
  }
}

function keyOf(recordId: number, ts: number): string {
  return `${recordId} ${ts}`;
}
