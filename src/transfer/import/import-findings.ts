import type { ImportItem, Leftover, Remark, FileLine } from '../formats/import-entry.js';

/** The result of an item. */
type Outcome = 'created' | 'updated' | 'unchanged' | 'refused';

/** `posts/hello.md:3`; without a line the file as a whole. */
export function fileLine({ file, line }: FileLine): string {
  return line === 0 ? file : `${file}:${line}`;
}

/** Most remarks that are kept: a file may be wrong from the first to the last line. */
const MAX_REMARKS = 1_000;

/** Collects the findings of an import, in memory that does not grow with it. */
export class ImportFindings {
  private readonly types = new Map<string, Record<Outcome, number>>();
  private readonly terms = new Map<string, number>();
  private readonly changes = new Set<string>();
  private readonly leftovers = new Map<string, { what: string; reason: string; count: number; first: string }>();
  private readonly notes = new Remarks();
  private readonly problems = new Remarks();

  count(type: string, outcome: Outcome): void {
    const counts = this.types.get(type) ?? none();
    counts[outcome] += 1;
    this.types.set(type, counts);
  }

  refuse(type: string, remarks: readonly Remark[]): void {
    this.count(type, 'refused');
    for (const remark of remarks) this.problems.add(remark);
  }

  note({ notes }: Pick<ImportItem, 'notes'>): void {
    for (const remark of notes) this.notes.add(remark);
  }

  leave({ what, reason, file, line }: Omit<Leftover, 'kind'>): void {
    const known = this.leftovers.get(what);
    if (known) known.count += 1;
    else this.leftovers.set(what, { what, reason, count: 1, first: fileLine({ file, line }) });
  }

  newTerm(taxonomy: string): void {
    this.terms.set(taxonomy, (this.terms.get(taxonomy) ?? 0) + 1);
  }

  change(sentence: string): void {
    this.changes.add(sentence);
  }

  /** @param head what was run */
  report(head: { readonly dry_run: boolean; readonly source: string }) {
    const counts = none();
    for (const one of this.types.values()) {
      for (const [outcome, n] of Object.entries(one)) counts[outcome as Outcome] += n;
    }
    return {
      ...head,
      counts,
      types: Object.fromEntries(this.types),
      /** New ones by taxonomy. */
      terms: Object.fromEntries(this.terms),
      /** Additions to content types and taxonomies. */
      changes: [...this.changes],
      not_taken: [...this.leftovers.values()].toSorted((a, b) => b.count - a.count),
      /** Differences from the file. */
      notes: this.notes.first,
      notes_total: this.notes.total,
      /** Reasons for which items were refused. */
      problems: this.problems.first,
      problems_total: this.problems.total,
    };
  }
}

/** Report of an import: the things that it has done, or would do. */
export type ImportReport = ReturnType<ImportFindings['report']>;

class Remarks {
  readonly first: Remark[] = [];
  total = 0;

  add(remark: Remark): void {
    this.total += 1;
    if (this.first.length < MAX_REMARKS) this.first.push(remark);
  }
}

function none(): Record<Outcome, number> {
  return { created: 0, updated: 0, unchanged: 0, refused: 0 };
}
