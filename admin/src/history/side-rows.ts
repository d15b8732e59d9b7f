import { hunksOf, linesOf } from '../editor/merging/hunks.js';
import {
  changedParts,
  folded,
  MOST_PARTS,
  type FoldedPart,
  type Part,
  type TextPart,
} from '../editor/merging/word-parts.js';

/** A stretch of two texts that stand beside each other. */
export type SideRow =
  | { readonly kind: 'same'; readonly part: TextPart }
  | { readonly kind: 'folded'; readonly part: FoldedPart }
  | { readonly kind: 'changed'; readonly before: readonly Part[]; readonly after: readonly Part[] };

/** Two texts beside each other, by lines, and within lines by words. */
export interface SideRows {
  readonly rows: readonly SideRow[];
  /** Changes that are not shown, so that a page does not hang on two texts that have nothing in common. */
  readonly more: number;
}

export function sideRows(before: string, after: string): SideRows {
  const [old, young] = [linesOf(before), linesOf(after)];
  const stretches: SideRow[][] = [];
  let at = 0;
  let changes = 0;
  for (const { from, to, start, end } of hunksOf(old, young)) {
    stretches.push(sameRows(old.slice(at, from).join(''), at > 0, true));
    at = to;
    for (const [gone, come] of pairsOf(old.slice(from, to), young.slice(start, end))) {
      changes += 1;
      if (changes <= MOST_PARTS) stretches.push([changedRow(gone, come)]);
    }
  }
  stretches.push(sameRows(old.slice(at).join(''), at > 0, false));
  return { rows: stretches.flat(), more: Math.max(0, changes - MOST_PARTS) };
}

/** As many lines on both sides are compared one by one, so that paragraphs stand beside each other. */
function pairsOf(gone: readonly string[], come: readonly string[]): (readonly [string, string])[] {
  if (gone.length !== come.length) return [[gone.join(''), come.join('')]];
  return gone.map((line, at) => [line, come[at] ?? ''] as const);
}

function changedRow(gone: string, come: string): SideRow {
  const parts = gone === come ? [{ kind: 'same', text: gone } as const] : changedParts(gone, come);
  const without = (kind: TextPart['kind']) =>
    parts.filter((part) => part.kind !== kind && part.text !== '').flatMap((part) => folded(part, true, true));
  return { kind: 'changed', before: without('added'), after: without('removed') };
}

function sameRows(text: string, isAfter: boolean, isBefore: boolean): SideRow[] {
  if (text === '') return [];
  return folded({ kind: 'same', text }, isAfter, isBefore).map((part) =>
    part.kind === 'folded' ? { kind: 'folded', part } : { kind: 'same', part },
  );
}
