import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../common/access/caller.js';
import { ValidationError, type Fault } from '../../common/errors/domain-error.js';
import { Departures } from './departures.service.js';
import { Leaving, type Exit, type Locked } from './leaving.js';
import { Placements } from './placement.js';
import { termNotFound } from '../taxonomy.errors.js';
import type { Taxonomy } from '../taxonomies/taxonomy.js';
import { readMerge } from './term-input.js';
import { termReference, type TermReference } from './term-reference.js';
import { TermStore } from './term-store.js';
import { Terms } from './terms.service.js';

/** Merges terms: one goes, and another one takes its place in all records. */
@Injectable()
export class TermMerge {
  constructor(
    private readonly leaving: Leaving,
    private readonly departures: Departures,
    private readonly placements: Placements,
    private readonly store: TermStore,
    private readonly terms: Terms,
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
    const hasLeft = await this.leaving.leave(taxonomy, which, caller, (manager, locked) =>
      this.decide(manager, locked, target.id),
    );
    if (!hasLeft) await this.resume(taxonomy, which, target.id, caller);
    return target.id;
  }

  /** What was merged before is merged, and done with as soon as no record holds it. */
  private async resume(taxonomy: Taxonomy, which: TermReference, into: number, caller: Caller): Promise<void> {
    const departure = await this.departures.find(taxonomy, which);
    if (departure?.intoId !== into) throw termNotFound(taxonomy.name, String(which.value));
    if (departure.isPending) await this.departures.finish(departure, caller);
  }

  private async decide(manager: EntityManager, { taxonomy, term }: Locked, targetId: number): Promise<Exit> {
    const into = await this.store.lock(manager, taxonomy, { column: 'id', value: targetId });
    if (!into) throw new ValidationError([noTarget(taxonomy, targetId)]);
    const faults = await this.placements.mergeFaults(manager, term, into);
    if (faults.length > 0) throw new ValidationError(faults);
    return { heir: into, into, isHeld: true };
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
