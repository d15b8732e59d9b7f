import { CoalescedRuns } from '../../common/concurrency/coalesced-runs.js';
import type { Reads } from '../../database/statements/reads.js';
import type { Sql } from './fulltext-conditions.js';
import type { RecordChanges } from '../changes/record-changes.js';

/** A hit, and what its place among the others depends on. */
export interface ListedHit {
  readonly id: number;
  readonly inTitle: number;
  readonly inTerms: number;
  /** From 0 to 1. */
  readonly relevance: number;
  readonly sortAt: number;
}

/** How the hits of a query are found: statements that answer with the columns of {@link HitRow}. */
export interface HitStatements {
  /** All of them, asked of the full-text index. */
  readonly all: () => Sql;
  /** Those among some records, looked at one by one. */
  readonly among: (ids: readonly number[]) => Sql;
}

interface HitRow {
  readonly id: number | string;
  readonly in_title: number | string;
  readonly in_terms: number | string;
  readonly relevance: number | string;
  readonly sort_at: number | string;
}

interface HitList {
  /** The best first. */
  readonly hits: readonly ListedHit[];
  /** Up to which place in the order of changes it is true. */
  readonly position: number;
}

/** Longer lists are not kept: to read them takes longer than to have the server sort them. */
const MOST_LISTED = 2_000;
const MOST_LISTS = 500;
const MOST_HITS = 150_000;
/** More are not looked at one by one. Above a thousand values MariaDB makes another plan for `IN`. */
const MOST_CHANGED = 300;

/**
 * Hits of queries that were asked lately. They are always exact: what was changed since, by whatever process, is
 * looked at again before each answer.
 */
export class HitLists {
  /** Least recently used first. */
  private readonly lists = new Map<string, HitList>();
  private readonly shared = new CoalescedRuns<readonly ListedHit[] | null>();

  constructor(
    private readonly reads: Reads,
    private readonly changes: RecordChanges,
  ) {}

  has(key: string): boolean {
    return this.lists.has(key);
  }

  /** All hits, the best first, of what is committed by now; `null`: there are too many for a list. */
  of(key: string, statements: HitStatements): Promise<readonly ListedHit[] | null> {
    return this.shared.run(key, async () => {
      await this.changes.read();
      const list = (await this.renewed(key, statements)) ?? (await this.first(statements));
      this.lists.delete(key);
      if (!list) return null;
      this.keep(key, list);
      return list.hits;
    });
  }

  /** What was known, with what was changed since; `null`: it is unknown, or too much was changed. */
  private async renewed(key: string, { among }: HitStatements): Promise<HitList | null> {
    const known = this.lists.get(key);
    if (!known) return null;
    const { position } = this.changes;
    const changed = this.changes.since(known.position);
    if (!changed || changed.length > MOST_CHANGED) return null;
    if (changed.length === 0) return known;
    const gone = new Set(changed);
    const all = [...known.hits.filter(({ id }) => !gone.has(id)), ...(await this.select(among(changed)))].sort(byRank);
    return all.length > MOST_LISTED ? null : { hits: all, position };
  }

  private async first({ all }: HitStatements): Promise<HitList | null> {
    const { position } = this.changes;
    const { text, values } = all();
    const hits = await this.select({ text: `${text} LIMIT ${MOST_LISTED + 1}`, values });
    return hits.length > MOST_LISTED ? null : { hits: [...hits].sort(byRank), position };
  }

  private async select({ text, values }: Sql): Promise<ListedHit[]> {
    const rows = await this.reads.select<HitRow>(text, values);
    return rows.map((row) => ({
      id: Number(row.id),
      inTitle: Number(row.in_title),
      inTerms: Number(row.in_terms),
      relevance: Number(row.relevance),
      sortAt: Number(row.sort_at),
    }));
  }

  private keep(key: string, list: HitList): void {
    this.lists.set(key, list);
    let hits = 0;
    let lists = 0;
    for (const [other, one] of [...this.lists].reverse()) {
      hits += one.hits.length;
      lists += 1;
      if (hits > MOST_HITS || lists > MOST_LISTS) this.lists.delete(other);
    }
  }
}

function byRank(a: ListedHit, b: ListedHit): number {
  return (
    b.inTitle - a.inTitle || b.inTerms - a.inTerms || b.relevance - a.relevance || b.sortAt - a.sortAt || b.id - a.id
  );
}
