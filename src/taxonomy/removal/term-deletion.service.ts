import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../common/access/caller.js';
import { PendingRemovals } from './pending-removals.js';
import { TermRemovals, type RemovalPlan, type Locked } from './term-removals.js';
import { termInUse, termNotFound } from '../taxonomies/taxonomy.errors.js';
import type { Taxonomy } from '../taxonomies/taxonomy.js';
import { termReference } from '../terms/term-reference.js';
import { TermStore } from '../terms/term-store.js';
import { TermUsageHost } from '../terms/term-usage.port.js';

interface TermDeletion {
  /** Whether a term goes that records hold. */
  readonly isForced: boolean;
  readonly caller: Caller;
}

/** Deletes terms. A deletion that was interrupted may be sent again; otherwise a job finishes it. */
@Injectable()
export class TermDeletionService {
  constructor(
    private readonly removals: TermRemovals,
    private readonly pendingRemovals: PendingRemovals,
    private readonly host: TermUsageHost,
    private readonly store: TermStore,
  ) {}

  /**
   * Deletes a term; what stands under it moves up. One that records hold goes only by force.
   *
   * @throws {DomainError} `term_not_found`, `term_in_use`
   */
  async remove(taxonomy: Taxonomy, reference: string, deletion: TermDeletion): Promise<void> {
    const which = termReference(reference);
    if (!which) throw termNotFound(taxonomy.name, reference);
    const isRemoved = await this.removals.remove(taxonomy, which, deletion.caller, (manager, locked) =>
      this.plan(manager, locked, deletion),
    );
    if (isRemoved) return;
    const removed = await this.pendingRemovals.find(taxonomy, which);
    if (!removed?.isPending || removed.intoId !== null) throw termNotFound(taxonomy.name, reference);
    await this.pendingRemovals.finish(removed, deletion.caller);
  }

  private async plan(
    manager: EntityManager,
    { taxonomy, term }: Locked,
    { isForced, caller }: TermDeletion,
  ): Promise<RemovalPlan> {
    const isHeld = await this.host.get().isUsed(manager, term.id);
    if (isHeld && !isForced) throw termInUse(term.name, await this.visibleUses(term.id, caller));
    const newParent =
      term.parentId === null ? null : await this.store.find(manager, taxonomy, { column: 'id', value: term.parentId });
    return { newParent, into: null, isHeld };
  }

  private async visibleUses(termId: number, caller: Caller): Promise<number> {
    return (await this.host.get().counts([termId], caller)).get(termId) ?? 0;
  }
}
