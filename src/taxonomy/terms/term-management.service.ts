import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ValidationError, type Fault } from '../../common/errors/domain-error.js';
import { isUniqueViolation } from '../../database/dialect/database-error.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { TaxonomiesService } from '../taxonomies/taxonomies.service.js';
import type { Taxonomy } from '../taxonomies/taxonomy.js';
import { taxonomyNotFound, termExists, termNotFound } from '../taxonomies/taxonomy.errors.js';
import { readNewTerm, readTermChange, type TermBody } from './term-input.js';
import { termReference } from './term-reference.js';
import type { StoredTerm } from './term-row.js';
import { termSlug } from './term-slug.js';
import { TermStore, type TermDraft } from './term-store.js';
import { placementUnder } from './tree/placements.js';

/** Creates, changes and moves terms. */
@Injectable()
export class TermManagementService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly taxonomies: TaxonomiesService,
    private readonly store: TermStore,
  ) {}

  /**
   * @returns the new term as it was committed, whatever becomes of it before the request is answered
   * @throws {ValidationError} with every fault of the body
   * @throws {DomainError} `term_exists`
   */
  async create(body: unknown): Promise<StoredTerm> {
    const { body: input, faults } = readNewTerm(body);
    const taxonomy = await this.taxonomies.find(input.type ?? '');
    if (!taxonomy) throw new ValidationError([...faults, ...(await this.typeFaults(input))]);
    const name = input.name?.trim() ?? '';
    const slug = input.slug ?? termSlug(name);
    return this.writing(taxonomy.name, slug, async (manager) => {
      const held = await this.taxonomies.lockForTerm(manager, taxonomy.id);
      if (!held) throw new ValidationError(await this.typeFaults(input));
      const parent = await this.requirePlace(manager, held, input, null, faults);
      const { description = null, position = 0 } = input;
      const id = await this.store.insert(manager, held, { slug, name, description, position, parent });
      return this.store.require(manager, id);
    });
  }

  /**
   * Changes what is sent and leaves the rest; a change that changes nothing writes nothing.
   *
   * @returns id of the term
   * @throws {ValidationError} with every fault of the body
   * @throws {DomainError} `term_not_found`, `term_exists`
   */
  async update({ id: taxonomyId, name }: Taxonomy, reference: string, body: unknown): Promise<number> {
    const { body: input, faults } = readTermChange(body);
    const which = termReference(reference);
    if (!which) throw termNotFound(name, reference);
    const id = await this.writing(name, input.slug ?? '', async (manager) => {
      const taxonomy = await this.taxonomies.lock(manager, taxonomyId);
      if (!taxonomy) throw taxonomyNotFound(name);
      const term = await this.store.lock(manager, taxonomy, which);
      if (!term) throw termNotFound(name, reference);
      const sent = { ...input, parent_id: input.parent_id === undefined ? term.parentId : input.parent_id };
      const parent = await this.requirePlace(manager, taxonomy, sent, term, faults);
      await this.store.update(manager, taxonomy, term, draftOf(term, input, parent));
      return term.id;
    });
    this.taxonomies.refresh();
    return id;
  }

  private async requirePlace(
    manager: EntityManager,
    taxonomy: Taxonomy,
    { parent_id: parentId = null }: Partial<TermBody>,
    term: StoredTerm | null,
    faults: readonly Fault[],
  ): Promise<StoredTerm | null> {
    const place = await placementUnder(this.store, manager, taxonomy, { parentId, term });
    const all = [...faults, ...place.faults];
    if (all.length > 0) throw new ValidationError(all);
    return place.parent;
  }

  private async typeFaults({ type }: Partial<TermBody>): Promise<Fault[]> {
    if (type === undefined) return [];
    const names = (await this.taxonomies.all()).map(({ name }) => name);
    return [
      {
        field: 'type',
        rule: 'taxonomy_not_found',
        message: `type must name a taxonomy: ${names.join(', ') || 'none'}.`,
      },
    ];
  }

  /** The unique index decides about slugs, not a look-up beforehand: two requests may arrive together. */
  private async writing<Result>(
    taxonomy: string,
    slug: string,
    work: (manager: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.unitOfWork.run(work);
    } catch (error) {
      if (isUniqueViolation(error)) throw termExists(taxonomy, slug, error);
      throw error;
    }
  }
}

function draftOf(term: StoredTerm, input: Partial<TermBody>, parent: StoredTerm | null): TermDraft {
  return {
    name: input.name?.trim() ?? term.name,
    slug: input.slug ?? term.slug,
    description: input.description === undefined ? term.description : input.description,
    position: input.position ?? term.position,
    parent,
  };
}
