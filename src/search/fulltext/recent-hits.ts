import { CoalescedRuns } from '../../common/concurrency/coalesced-runs.js';
import { StateCache } from '../state-cache.js';
import type { DocumentChanges } from './document-changes.js';

/** A hit, and what its place among the others depends on. */
export interface ListedHit {
  readonly id: number;
  readonly inTitle: number;
  readonly inTerms: number;
  /** From 0 to 1. */
  readonly relevance: number;
  readonly sortAt: number;
}

/**
 * The hits of a query:
 *
 * - `listed`: all of them, the best first;
 * - `many`: too many for a list, so the server sorts them for each page;
 * - `frequent`: so many that they are listed by age.
 */
export type Hits =
  | { readonly kind: 'listed'; readonly hits: readonly ListedHit[] }
  | { readonly kind: 'many' }
  | { readonly kind: 'frequent'; readonly total: number };

/** Of all lists together: at most some 15 MB. */
const MOST_HITS = 150_000;
/** What an entry takes without its hits, as so many of them. */
const HITS_PER_ENTRY = 300;

/** Hits of queries that were asked lately. They are used again as long as nothing was written, by whatever process. */
export class RecentHits {
  private readonly cache = new StateCache<Hits>(MOST_HITS, weightOf);
  private readonly shared = new CoalescedRuns<Hits>();

  constructor(private readonly changes: DocumentChanges) {}

  /**
   * The hits of what is committed by now.
   *
   * @param key the same for the same query of the same part of the index
   */
  of(key: string, find: () => Promise<Hits>): Promise<Hits> {
    return this.shared.run(key, async () => {
      const state = await this.changes.state();
      const known = this.cache.get(state, key);
      if (known) return known;
      const found = await find();
      this.cache.set(state, key, found);
      return found;
    });
  }
}

function weightOf(found: Hits): number {
  return HITS_PER_ENTRY + (found.kind === 'listed' ? found.hits.length : 0);
}
