import type { Reader } from '../../../database/statements/reads.js';
import type { RecordHistory, StoredRevision } from '../../../records/record-history.port.js';
import type { RowValidator } from './row-validator.js';

/** The revisions of some records whose columns hold valid values. */
export class ValidRevisions {
  private readonly counts = new Map<number, number>();
  private readonly damaged = new Set<string>();

  private constructor(private readonly validator: RowValidator) {}

  static async of(
    reader: Reader,
    history: RecordHistory,
    recordIds: readonly number[],
    validator: RowValidator,
  ): Promise<ValidRevisions> {
    const revisions = new ValidRevisions(validator);
    for await (const row of history.stored(reader, recordIds)) revisions.take(row);
    return revisions;
  }

  countOf(recordId: number): number {
    return this.counts.get(recordId) ?? 0;
  }

  isValid({ recordId, ts }: { readonly recordId: number; readonly ts: number }): boolean {
    return !this.damaged.has(keyOf(recordId, ts));
  }

  private take(row: StoredRevision): void {
    const [recordId, ts] = [Number(row.record_id), Number(row.ts)];
    if (this.validator.isValid('revisions', row)) this.counts.set(recordId, this.countOf(recordId) + 1);
    else this.damaged.add(keyOf(recordId, ts));
  }
}

function keyOf(recordId: number, ts: number): string {
  return `${recordId} ${ts}`;
}
