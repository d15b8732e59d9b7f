import { PortHost } from '../../common/port-host.js';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../common/access/caller.js';
import type { Condition } from '../../database/dialect/dialect.js';

/** The name of the id in a condition on rows of `terms`. */
export const TERM_ID = 'terms.id';

/**
 * Port to whatever holds terms, which is built on top of them: the records.
 * Methods that take a manager run inside the caller's unit of work.
 */
export interface TermUsage {
  /** Records that have each of these terms and that the caller may see; terms without records are absent. */
  counts(termIds: readonly number[], caller: Caller): Promise<ReadonlyMap<number, number>>;
  /** The rows of `terms`, by {@link TERM_ID}, with a record that the caller may see; `null`: the caller sees all. */
  visibleTerms(caller: Caller): Promise<Condition | null>;
  /** True if a record outside the trash holds the term, whatever the caller may see. */
  isUsed(manager: EntityManager, termId: number): Promise<boolean>;
  /** The time at which a record with terms was last written: milliseconds since 1970, UTC; 0: never. */
  latestWrite(manager: EntityManager): Promise<number>;
  /**
   * Takes a term away from all records that hold it, or puts another one in its place; each record is an ordinary write
   * with a revision. In batches, outside of any unit of work. Repeatable after an interruption.
   */
  replace(termId: number, into: number | null, caller: Caller): Promise<void>;
}

@Injectable()
export class TermUsageHost extends PortHost<TermUsage> {}
