import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../common/access/caller.js';
import { ValidationError, type Fault } from '../../common/errors/domain-error.js';
import { PendingRemovals } from './pending-removals.js';
import { TermRemovals, type RemovalPlan, type Locked } from './term-removals.js';
import { Placements } from '../terms/tree/placements.js';
import { termNotFound } from '../taxonomies/taxonomy.errors.js';
import type { Taxonomy } from '../taxonomies/taxonomy.js';
import { readMerge } from '../terms/term-input.js';
import { termReference, type TermReference } from '../terms/term-reference.js';
import { TermStore } from '../terms/term-store.js';
import { TermsService } from '../terms/terms.service.js';

/** Merges terms: one goes, and another one takes its place in all records. */
@Injectable()
export class TermMergeService {
  constructor(
    private readonly removals: TermRemovals,
    private readonly pendingRemovals: PendingRemovals,
    private readonly placements: Placements,
    private readonly store: TermStore,
    private readonly terms: TermsService,
  ) {}

  /**
   * May be sent again, after an interruption too.
   *
   * @returns id of the term that is left
   * @throws {ValidationError} `into` is no other term, or stands under the one that goes
   * @throws {DomainError} `term_not_found`
   */
  async merge(taxonomy: Taxonomy, reference: string, body: unknown, caller: Caller): Promise<number> {
    const into = requireInto(body);
    const which = termReference(reference);
    if (!which) throw termNotFound(taxonomy.name, reference);
    const target = await this.terms.find(taxonomy.name, into);
    if (!target) throw new ValidationError([noTarget(taxonomy, into)]);
    const isRemoved = await this.removals.remove(taxonomy, which, caller, (manager, locked) =>
      this.decide(manager, locked, target.id),
    );
    if (!isRemoved) await this.resume(taxonomy, which, target.id, caller);
    return target.id;
  }

  /** Finishes a merge that was begun before: it is done as soon as no record holds the term. */
  private async resume(taxonomy: Taxonomy, which: TermReference, into: number, caller: Caller): Promise<void> {
    const removed = await this.pendingRemovals.find(taxonomy, which);
    if (removed?.intoId !== into) throw termNotFound(taxonomy.name, String(which.value));
    if (removed.isPending) await this.pendingRemovals.finish(removed, caller);
  }

  private async decide(manager: EntityManager, { taxonomy, term }: Locked, targetId: number): Promise<RemovalPlan> {
    const into = await this.store.lock(manager, taxonomy, { column: 'id', value: targetId });
    if (!into) throw new ValidationError([noTarget(taxonomy, targetId)]);
    const faults = await this.placements.mergeFaults(manager, term, into);
    if (faults.length > 0) throw new ValidationError(faults);
    return { newParent: into, into, isHeld: true };
  }
}

function requireInto(body: unknown): string | number {
  const { body: input, faults } = readMerge(body);
  if (faults.length > 0 || input.into === undefined) throw new ValidationError(faults);
  return input.into;
}

function noTarget({ name }: Taxonomy, into: string | number): Fault {
  return { field: 'into', rule: 'term_not_found', message: `into is no ${name}: ${into}.` };
}
