import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, type EntityManager } from 'typeorm';
import { SERVICE, type Caller } from '../../common/access/caller.js';
import { Job } from '../../common/jobs/job.decorator.js';
import { tryEach } from '../../common/jobs/try-each.js';
import type { ReadRepository } from '../../database/statements/reads.js';
import { insertRow } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { termInUse } from '../taxonomies/taxonomy.errors.js';
import type { Taxonomy } from '../taxonomies/taxonomy.js';
import { TermRedirect } from '../taxonomies/taxonomy.entity.js';
import type { TermReference } from '../terms/term-reference.js';
import type { StoredTerm } from '../terms/term-row.js';
import { TermUsageHost } from '../terms/term-usage.port.js';

/** A term that was deleted, or merged into another one. */
export interface RemovedTerm {
  readonly termId: number;
  /** `null`: it was deleted. */
  readonly intoId: number | null;
  /** True if records may still hold it. */
  readonly isPending: boolean;
}

const RESUME_EVERY_MS = 60_000;
const BEHIND_ALL_IDS = Number.MAX_SAFE_INTEGER;

/**
 * Terms that were removed while records still hold them. Such a term cannot be assigned any more; the records are written
 * one by one, which takes its time and can be interrupted, and is taken up again from here.
 */
@Injectable()
export class PendingRemovals {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    @InjectRepository(TermRedirect) private readonly redirects: ReadRepository<TermRedirect>,
    private readonly host: TermUsageHost,
  ) {}

  /** Finishes merges and deletions that a stop or a failure has interrupted. */
  @Job({
    name: 'terms.resume-removals',
    once: 'started',
    every: RESUME_EVERY_MS,
    lock: 'terms',
    failure: 'an interrupted merge or deletion of a term could not be finished',
  })
  resume(signal?: AbortSignal): Promise<void> {
    return tryEach(this.pending(), (removed) => this.finish(removed, SERVICE), signal);
  }

  /** Asks if records hold a term. @throws {DomainError} `term_in_use`: they do, and it does not go by force */
  async isHeld(
    manager: EntityManager,
    { id, name }: StoredTerm,
    { isForced, caller }: { readonly isForced: boolean; readonly caller: Caller },
  ): Promise<boolean> {
    const isHeld = await this.host.get().isUsed(manager, id);
    if (isHeld && !isForced) throw termInUse(name, (await this.host.get().counts([id], caller)).get(id) ?? 0);
    return isHeld;
  }

  /** Notes that a term goes, in the unit of work that removes it. What went into it before follows it. */
  async begin(manager: EntityManager, term: StoredTerm, intoId: number | null): Promise<RemovedTerm> {
    await this.forward(manager, term.id, intoId);
    const { id: termId, taxonomy, slug } = term;
    await insertRow(manager, TermRedirect, { termId, taxonomy, slug, intoId, isPending: 1 });
    return { termId, intoId, isPending: true };
  }

  /** Redirects the terms that were merged into a term which is removed now itself; after a deletion they have no target. */
  async forward(manager: EntityManager, termId: number, intoId: number | null): Promise<void> {
    if (intoId === null) await manager.delete(TermRedirect, { intoId: termId });
    else await manager.update(TermRedirect, { intoId: termId }, { intoId });
  }

  /** The last removed term with this id or slug. */
  async find({ name }: Taxonomy, { column, value }: TermReference): Promise<RemovedTerm | null> {
    const redirect = await this.redirects.findOne({
      where: { taxonomy: name, [column === 'id' ? 'termId' : 'slug']: value },
      order: { termId: 'DESC' },
    });
    return redirect && removedTermOf(redirect);
  }

  /** Removes a term from the records that still hold it, or replaces it there. */
  async finish({ termId, intoId }: RemovedTerm, caller: Caller): Promise<void> {
    await this.host.get().replace(termId, intoId, caller);
    await this.unitOfWork.run(async (manager) => {
      if (intoId === null) {
        const { affected } = await manager.delete(TermRedirect, { termId, intoId: IsNull() });
        if (affected !== 0) return;
      }
      await manager.update(TermRedirect, { termId }, { isPending: 0 });
    });
  }

  /** Pending merges into a term, which cannot be removed until they are finished. */
  async into(manager: EntityManager, termId: number): Promise<RemovedTerm[]> {
    return (await manager.findBy(TermRedirect, { intoId: termId, isPending: 1 })).map(removedTermOf);
  }

  /** Removals that an interruption has left unfinished, one after the other. */
  private async *pending(): AsyncGenerator<RemovedTerm> {
    for (let last = BEHIND_ALL_IDS; ;) {
      const redirect = await this.redirects.findOne({
        where: { isPending: 1, termId: LessThan(last) },
        order: { termId: 'DESC' },
      });
      if (!redirect) return;
      last = redirect.termId;
      yield removedTermOf(redirect);
    }
  }
}

function removedTermOf({ termId, intoId, isPending }: TermRedirect): RemovedTerm {
  return { termId, intoId, isPending: isPending === 1 };
}
