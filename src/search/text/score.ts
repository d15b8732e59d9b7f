/** How a hit answers a query. */
export interface Answered {
  /** How many parts of the query stand in its title. */
  readonly inTitle: number;
  /** How many stand in the names of its terms. */
  readonly inTerms: number;
  /** How often and how closely, next to the best of all hits: from 0 to 1. */
  readonly relevance: number;
}

/**
 * One number in the order of title, terms and relevance. Nothing in it says how frequent a word is: that is counted
 * over records that the caller may not see.
 */
export function scoreOf({ inTitle, inTerms, relevance }: Answered, clauses: number): number {
  // A hit with all parts in its terms stays below one with another part in its title.
  return inTitle * (clauses + 2) + inTerms + relevance;
}
