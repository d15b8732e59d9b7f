import type { TermIds } from '../rows/record-row.js';

/** Without taxonomies of which there is no term. */
export function withoutEmpty(terms: TermIds): TermIds {
  return Object.fromEntries(Object.entries(terms).filter(([, ids]) => ids.length > 0));
}

/** The terms of some taxonomies only. */
export function withOnly(terms: TermIds, isKept: (taxonomy: string) => boolean): TermIds {
  return Object.fromEntries(Object.entries(terms).filter(([taxonomy]) => isKept(taxonomy)));
}

/**
 * The terms with others in the place of some, each once.
 *
 * @param termFor what an id becomes; `null`: nothing takes its place
 */
export function withReplaced(terms: TermIds, termFor: (id: number) => number | null): TermIds {
  const entries = Object.entries(terms).map(
    ([taxonomy, ids]) => [taxonomy, [...new Set(ids.flatMap((id) => termFor(id) ?? []))]] as const,
  );
  return withoutEmpty(Object.fromEntries(entries));
}
