import { CoalescedRuns } from '../../common/concurrency/coalesced-runs.js';
import type { Reads } from '../../database/statements/reads.js';
import { placeholders } from '../../database/statements/statement.js';
import type { Sql } from './fulltext-conditions.js';
import { IDS_PER_WORD, IdSet, type IdWord } from './id-set.js';
import type { RecordChanges } from '../changes/record-changes.js';
import { BoundedSemaphore } from './bounded-semaphore.js';

/** How many rows a condition holds for. */
export interface Matches {
  readonly total: number;
  /** Of how many that may be seen; not followed any further than to the first count. */
  readonly seen: number;
}

interface MatchSet {
  readonly ids: IdSet;
  readonly seen: number;
  /** Up to which place in the order of changes it is true. */
  readonly position: number;
}

/** More are not looked at one by one. */
const MOST_CHANGED = 10_000;
/** Above a thousand values MariaDB makes another plan for `IN`. */
const IDS_PER_LOOK = 900;
const MOST_SETS = 64;
const MOST_BYTES = 16 * 1024 * 1024;
/** Going through all rows keeps a connection busy: most of the pool is for others. */
const COUNTS_AT_ONCE = 2;
const COUNTS_WAITING = 64;

/**
 * Which records have very common words, so that they need not be counted after every write: only what was changed
 * since is looked at again. Rows are looked at and the full-text index is not asked, so what is kept is exact.
 */
export class MatchSets {
  /** Least recently used first. */
  private readonly sets = new Map<string, MatchSet>();
  private readonly shared = new CoalescedRuns<Matches>();
  private readonly semaphore = new BoundedSemaphore(COUNTS_AT_ONCE, COUNTS_WAITING);

  constructor(
    private readonly reads: Reads,
    private readonly changes: RecordChanges,
  ) {}

  /**
   * Counts rows of a scope, all that is committed by now.
   *
   * @throws {DomainError} `overloaded`
   */
  count(condition: Sql, scope: Sql): Promise<Matches> {
    const both = {
      text: `${condition.text} AND ${scope.text}`,
      values: [...condition.values, ...scope.values],
    };
    const key = JSON.stringify([both.text, both.values]);
    return this.shared.run(key, async () => {
      await this.changes.read();
      const set = (await this.renewed(key, both)) ?? (await this.semaphore.run(() => this.first(condition, scope)));
      this.keep(key, set);
      return { total: set.ids.size, seen: set.seen };
    });
  }

  /** What was known, with what was changed since; `null`: nothing was known, or too much was changed. */
  private async renewed(key: string, { text, values }: Sql): Promise<MatchSet | null> {
    const known = this.sets.get(key);
    const { position } = this.changes;
    const changed = known ? this.changes.since(known.position) : null;
    if (!known || !changed || changed.length > MOST_CHANGED) return null;
    for (let start = 0; start < changed.length; start += IDS_PER_LOOK) {
      const some = changed.slice(start, start + IDS_PER_LOOK);
      const rows = await this.reads.select<{ id: number | string }>(
        `SELECT record_id AS id FROM search_documents WHERE record_id IN (${placeholders(some)}) AND ${text}`,
        [...some, ...values],
      );
      const found = new Set(rows.map(({ id }) => Number(id)));
      for (const id of some) known.ids.set(id, found.has(id));
    }
    return { ...known, position };
  }

  private async first(condition: Sql, scope: Sql): Promise<MatchSet> {
    const { position } = this.changes;
    const rows = await this.reads.select<IdWord & { seen: number | string }>(
      `SELECT record_id DIV ${IDS_PER_WORD} AS word, COUNT(*) AS seen,
              BIT_OR(IF(${condition.text}, 1 << (record_id MOD ${IDS_PER_WORD}), 0)) AS bits
         FROM search_documents WHERE ${scope.text} GROUP BY word`,
      [...condition.values, ...scope.values],
    );
    return { ids: new IdSet(rows), seen: rows.reduce((sum, { seen }) => sum + Number(seen), 0), position };
  }

  private keep(key: string, set: MatchSet): void {
    this.sets.delete(key);
    this.sets.set(key, set);
    let bytes = 0;
    for (const [other, { ids }] of [...this.sets].reverse()) {
      bytes += ids.sizeBytes;
      if (bytes > MOST_BYTES) this.sets.delete(other);
    }
    const [oldest] = this.sets.keys();
    if (this.sets.size > MOST_SETS && oldest !== undefined) this.sets.delete(oldest);
  }
}
