/** Why the present value stays in the place of the old one. */
type KeptReason = 'slug_taken' | 'value_taken' | 'no_longer_valid' | 'required' | 'did_not_exist';
/** Why something old has no place any more. */
type SkippedReason = 'field_removed' | 'taxonomy_removed' | 'target_gone' | 'term_gone';

interface Note<Reason> {
  readonly field: string;
  readonly reason: Reason;
}

/** What of an old state could not be brought back. */
export class RollbackNotes {
  readonly kept: Note<KeptReason>[] = [];
  readonly skipped: (Note<SkippedReason> & { readonly value?: unknown })[] = [];

  keep(field: string, reason: KeptReason): void {
    this.kept.push({ field, reason });
  }

  skip(field: string, reason: SkippedReason, value?: unknown): void {
    this.skipped.push(value === undefined ? { field, reason } : { field, reason, value });
  }
}
