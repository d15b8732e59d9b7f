import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../common/access/caller.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { Departures, type Departure } from './departures.service.js';
import type { StoredTerm } from './stored-term.js';
import { Taxonomies } from '../taxonomies/taxonomies.service.js';
import { taxonomyNotFound } from '../taxonomy.errors.js';
import type { Taxonomy } from '../taxonomies/taxonomy.js';
import { TermListeners } from './term-listeners.js';
import type { TermReference } from './term-reference.js';
import { TermStore } from './term-store.js';

/** Where a term goes that leaves its taxonomy. */
export interface Exit {
  /** Where what stands under it goes; `null`: to the top. */
  readonly heir: StoredTerm | null;
  /** What takes its place in records; `null`: nothing does. */
  readonly into: StoredTerm | null;
  /** Whether records hold it. */
  readonly isHeld: boolean;
}

/** How far a term has come, and which departures have to be finished before it goes on. */
interface Step {
  readonly state: 'missing' | 'waiting' | 'left';
  readonly departures: readonly Departure[];
}

/** A term as it is locked in its taxonomy. */
export interface Locked {
  readonly taxonomy: Taxonomy;
  readonly term: StoredTerm;
}

/** What merging and deleting have in common: a term leaves its taxonomy at once, and the records one by one. */
@Injectable()
export class Leaving {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: TermStore,
    private readonly departures: Departures,
    private readonly listeners: TermListeners,
    private readonly taxonomies: Taxonomies,
  ) {}

  /**
   * @param decide how the locked term leaves; what it throws undoes everything
   * @returns whether there was such a term
   */
  async leave(
    { id, name }: Taxonomy,
    reference: TermReference,
    caller: Caller,
    decide: (manager: EntityManager, locked: Locked) => Promise<Exit>,
  ): Promise<boolean> {
    for (;;) {
      const step = await this.unitOfWork.run(async (manager): Promise<Step> => {
        const taxonomy = await this.store.lockTaxonomy(manager, id);
        if (!taxonomy) throw taxonomyNotFound(name);
        const term = await this.store.lock(manager, taxonomy, reference);
        if (!term) return { state: 'missing', departures: [] };
        const exit = await decide(manager, { taxonomy, term });
        const arriving = await this.departures.into(manager, term.id);
        if (arriving.length > 0) return { state: 'waiting', departures: arriving };
        return { state: 'left', departures: await this.remove(manager, { taxonomy, term }, exit) };
      });
      this.taxonomies.refresh();
      for (const departure of step.departures) await this.departures.finish(departure, caller);
      if (step.state !== 'waiting') return step.state === 'left';
    }
  }

  /** @returns what is left to do with the records */
  private async remove(
    manager: EntityManager,
    { taxonomy, term }: Locked,
    { heir, into, isHeld }: Exit,
  ): Promise<Departure[]> {
    if (taxonomy.isHierarchical) await this.store.moveChildren(manager, term, heir);
    const intoId = into?.id ?? null;
    const isFollowed = into !== null || isHeld;
    if (isFollowed) await this.departures.begin(manager, term, intoId);
    else await this.departures.forward(manager, term.id, null);
    await this.store.remove(manager, term.id);
    await this.store.touch(manager, taxonomy);
    await this.listeners.changed(manager, [term.id]);
    return isFollowed ? [{ termId: term.id, intoId, isPending: true }] : [];
  }
}
