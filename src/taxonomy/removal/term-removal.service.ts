import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../common/access/caller.js';
import { ValidationError, type Fault } from '../../common/errors/domain-error.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { TaxonomiesService } from '../taxonomies/taxonomies.service.js';
import { taxonomyNotFound, termNotFound } from '../taxonomies/taxonomy.errors.js';
import type { Taxonomy } from '../taxonomies/taxonomy.js';
import { readMerge } from '../terms/term-input.js';
import { termReference, type TermReference } from '../terms/term-reference.js';
import type { StoredTerm } from '../terms/term-row.js';
import { TermStore } from '../terms/term-store.js';
import { TermsService } from '../terms/terms.service.js';
import { mergeFaults } from '../terms/tree/placements.js';
import { PendingRemovals, type RemovedTerm } from './pending-removals.js';

interface TermDeletion {
  /** True if a term goes that records hold. */
  readonly isForced: boolean;
  readonly caller: Caller;
}

/** The plan for the children and the records of a term that is removed. */
interface RemovalPlan {
  /** The parent of its children from then on; `null`: they go to the top. */
  readonly newParent: StoredTerm | null;
  /** The term that replaces it in records; `null`: none does. */
  readonly into: StoredTerm | null;
  /** True if records hold it. */
  readonly isHeld: boolean;
}

/** Plans how a term that is locked in its taxonomy is removed; what it throws undoes everything. */
type Decide = (manager: EntityManager, taxonomy: Taxonomy, term: StoredTerm) => Promise<RemovalPlan>;

/** The state of a removal, and which removals have to be finished before it goes on. */
interface Step {
  readonly state: 'missing' | 'waiting' | 'removed';
  readonly unfinished: readonly RemovedTerm[];
}

/**
 * Deletes terms and merges them into others: a term leaves its taxonomy at once, and the records one by one. What was
 * interrupted may be sent again; otherwise a job finishes it.
 */
@Injectable()
export class TermRemovalService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: TermStore,
    private readonly terms: TermsService,
    private readonly taxonomies: TaxonomiesService,
    private readonly pending: PendingRemovals,
  ) {}

  /**
   * Deletes a term; what stands under it moves up. One that records hold goes only by force.
   *
   * @throws {DomainError} `term_not_found`, `term_in_use`
   */
  async remove(taxonomy: Taxonomy, reference: string, { isForced, caller }: TermDeletion): Promise<void> {
    const which = requireReference(taxonomy, reference);
    const isRemoved = await this.removeTerm(taxonomy, which, caller, async (manager, held, term) => {
      const isHeld = await this.pending.isHeld(manager, term, { isForced, caller });
      const above = { column: 'id', value: term.parentId } as const;
      const newParent = term.parentId === null ? null : await this.store.find(manager, held, above);
      return { newParent, into: null, isHeld };
    });
    if (isRemoved) return;
    const removed = await this.pending.find(taxonomy, which);
    if (!removed?.isPending || removed.intoId !== null) throw termNotFound(taxonomy.name, reference);
    await this.pending.finish(removed, caller);
  }

  /**
   * Merges a term into another one, which takes its place in all records.
   *
   * @returns id of the term that is left
   * @throws {ValidationError} `into` is no other term, or stands under the one that goes
   * @throws {DomainError} `term_not_found`
   */
  async merge(taxonomy: Taxonomy, reference: string, body: unknown, caller: Caller): Promise<number> {
    const into = requireInto(body);
    const which = requireReference(taxonomy, reference);
    const target = await this.terms.find(taxonomy.name, into);
    if (!target) throw new ValidationError([noTarget(taxonomy, into)]);
    const isRemoved = await this.removeTerm(taxonomy, which, caller, async (manager, held, term) => {
      const left = await this.store.lock(manager, held, { column: 'id', value: target.id });
      if (!left) throw new ValidationError([noTarget(taxonomy, target.id)]);
      const faults = await mergeFaults(this.store, manager, term, left);
      if (faults.length > 0) throw new ValidationError(faults);
      return { newParent: left, into: left, isHeld: true };
    });
    if (isRemoved) return target.id;
    // It was begun before: it is done as soon as no record holds the term.
    const removed = await this.pending.find(taxonomy, which);
    if (removed?.intoId !== target.id) throw termNotFound(taxonomy.name, String(which.value));
    if (removed.isPending) await this.pending.finish(removed, caller);
    return target.id;
  }

  /** @returns whether there was such a term */
  private async removeTerm(
    { id, name }: Taxonomy,
    reference: TermReference,
    caller: Caller,
    decide: Decide,
  ): Promise<boolean> {
    for (;;) {
      const step = await this.unitOfWork.run(async (manager): Promise<Step> => {
        const taxonomy = await this.taxonomies.lock(manager, id);
        if (!taxonomy) throw taxonomyNotFound(name);
        const term = await this.store.lock(manager, taxonomy, reference);
        if (!term) return { state: 'missing', unfinished: [] };
        const plan = await decide(manager, taxonomy, term);
        const arriving = await this.pending.into(manager, term.id);
        if (arriving.length > 0) return { state: 'waiting', unfinished: arriving };
        return { state: 'removed', unfinished: await this.removeLocked(manager, taxonomy, term, plan) };
      });
      this.taxonomies.refresh();
      for (const removed of step.unfinished) await this.pending.finish(removed, caller);
      if (step.state !== 'waiting') return step.state === 'removed';
    }
  }

  /** @returns what is left to do with the records */
  private async removeLocked(
    manager: EntityManager,
    taxonomy: Taxonomy,
    term: StoredTerm,
    { newParent, into, isHeld }: RemovalPlan,
  ): Promise<RemovedTerm[]> {
    if (taxonomy.isHierarchical) await this.store.moveChildren(manager, term, newParent);
    const isFollowed = into !== null || isHeld;
    const followed = isFollowed ? [await this.pending.begin(manager, term, into?.id ?? null)] : [];
    if (!isFollowed) await this.pending.forward(manager, term.id, null);
    await this.store.remove(manager, taxonomy, term.id);
    return followed;
  }
}

function requireReference({ name }: Taxonomy, reference: string): TermReference {
  const which = termReference(reference);
  if (!which) throw termNotFound(name, reference);
  return which;
}

function requireInto(body: unknown): string | number {
  const { body: input, faults } = readMerge(body);
  if (faults.length > 0 || input.into === undefined) throw new ValidationError(faults);
  return input.into;
}

function noTarget({ name }: Taxonomy, into: string | number): Fault {
  return { field: 'into', rule: 'term_not_found', message: `into is no ${name}: ${into}.` };
}
