import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../common/access/caller.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { TaxonomiesService } from '../taxonomies/taxonomies.service.js';
import type { Taxonomy } from '../taxonomies/taxonomy.js';
import { taxonomyNotFound } from '../taxonomies/taxonomy.errors.js';
import { TermListeners } from '../terms/term-listeners.js';
import type { TermReference } from '../terms/term-reference.js';
import type { StoredTerm } from '../terms/term-row.js';
import { TermStore } from '../terms/term-store.js';
import { PendingRemovals, type RemovedTerm } from './pending-removals.js';

/** The plan for the children and the records of a term that is removed. */
export interface RemovalPlan {
  /** The parent of its children from then on; `null`: they go to the top. */
  readonly newParent: StoredTerm | null;
  /** The term that replaces it in records; `null`: none does. */
  readonly into: StoredTerm | null;
  /** Whether records hold it. */
  readonly isHeld: boolean;
}

/** The state of a removal, and which removals have to be finished before it goes on. */
interface Step {
  readonly state: 'missing' | 'waiting' | 'removed';
  readonly unfinished: readonly RemovedTerm[];
}

/** A term as it is locked in its taxonomy. */
export interface Locked {
  readonly taxonomy: Taxonomy;
  readonly term: StoredTerm;
}

/** The common part of merging and deleting: a term leaves its taxonomy at once, and the records one by one. */
@Injectable()
export class TermRemovals {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: TermStore,
    private readonly pendingRemovals: PendingRemovals,
    private readonly listeners: TermListeners,
    private readonly taxonomies: TaxonomiesService,
  ) {}

  /**
   * @param decide how the locked term is removed; what it throws undoes everything
   * @returns whether there was such a term
   */
  async remove(
    { id, name }: Taxonomy,
    reference: TermReference,
    caller: Caller,
    decide: (manager: EntityManager, locked: Locked) => Promise<RemovalPlan>,
  ): Promise<boolean> {
    for (;;) {
      const step = await this.unitOfWork.run(async (manager): Promise<Step> => {
        const taxonomy = await this.taxonomies.lock(manager, id);
        if (!taxonomy) throw taxonomyNotFound(name);
        const term = await this.store.lock(manager, taxonomy, reference);
        if (!term) return { state: 'missing', unfinished: [] };
        const plan = await decide(manager, { taxonomy, term });
        const arriving = await this.pendingRemovals.into(manager, term.id);
        if (arriving.length > 0) return { state: 'waiting', unfinished: arriving };
        return { state: 'removed', unfinished: await this.removeLocked(manager, { taxonomy, term }, plan) };
      });
      this.taxonomies.refresh();
      for (const removed of step.unfinished) await this.pendingRemovals.finish(removed, caller);
      if (step.state !== 'waiting') return step.state === 'removed';
    }
  }

  /** @returns what is left to do with the records */
  private async removeLocked(
    manager: EntityManager,
    { taxonomy, term }: Locked,
    { newParent, into, isHeld }: RemovalPlan,
  ): Promise<RemovedTerm[]> {
    if (taxonomy.isHierarchical) await this.store.moveChildren(manager, term, newParent);
    const intoId = into?.id ?? null;
    const isFollowed = into !== null || isHeld;
    const followed = isFollowed ? [await this.pendingRemovals.begin(manager, term, intoId)] : [];
    if (!isFollowed) await this.pendingRemovals.forward(manager, term.id, null);
    await this.store.remove(manager, term.id);
    await this.store.touch(manager, taxonomy);
    await this.listeners.changed(manager, [term.id]);
    return followed;
  }
}
