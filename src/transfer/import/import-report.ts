import type { Place, Remark } from '../formats/import-entry.js';

/** What became of an item. */
export type Outcome = 'created' | 'updated' | 'unchanged' | 'refused';

/** Something that was not taken over, counted by what it is. */
interface NotTaken {
  readonly what: string;
  readonly reason: string;
  readonly count: number;
  /** `file:line` of the first one. */
  readonly first: string;
}

/** What an import has done, or would do. */
export interface ImportReport {
  readonly dry_run: boolean;
  readonly source: string;
  readonly counts: Readonly<Record<Outcome, number>>;
  /** The same by content type. */
  readonly types: Readonly<Record<string, Readonly<Record<Outcome, number>>>>;
  /** New terms by taxonomy. */
  readonly terms: Readonly<Record<string, number>>;
  /** What was added to content types and taxonomies. */
  readonly changes: readonly string[];
  readonly not_taken: readonly NotTaken[];
  /** What is other than the file says. */
  readonly notes: readonly Remark[];
  readonly notes_total: number;
  /** Why items were refused. */
  readonly problems: readonly Remark[];
  readonly problems_total: number;
}

/** `posts/hello.md:3`; without a line the file as a whole. */
export function placeOf({ file, line }: Place): string {
  return line === 0 ? file : `${file}:${line}`;
}
