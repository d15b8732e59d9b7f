/** How a hit answers a query. */
export interface Answered {
  /** How many parts of the query stand in its title. */
  readonly inTitle: number;
  /** How many stand in the names of its terms. */
  readonly inTerms: number;
  /** How often they stand in it, from 0 to 1. */
  readonly relevance: number;
}

/**
 * One number in the order of title, terms and relevance. All three are of the hit alone: what other records say, of
 * which the caller may not see all, changes no score (ADR 21).
 */
export function scoreOf({ inTitle, inTerms, relevance }: Answered, clauses: number): number {
  // A hit with all parts in its terms stays below one with another part in its title.
  return inTitle * (clauses + 2) + inTerms + relevance;
}
