import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { Taxonomies } from './taxonomies.service.js';
import { taxonomyInUse, taxonomyNotEmpty, taxonomyNotFound } from '../taxonomy.errors.js';
import { TaxonomyReferrersHolder } from './taxonomy-referrers.port.js';
import { TaxonomyStore } from './taxonomy-store.js';
import type { Taxonomy } from './taxonomy.js';
import { TermStore } from '../terms/term-store.js';

/** Deletes taxonomies that no content type names, and their terms with them. */
@Injectable()
export class TaxonomyRemoval {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly taxonomies: Taxonomies,
    private readonly store: TaxonomyStore,
    private readonly terms: TermStore,
    private readonly referrers: TaxonomyReferrersHolder,
  ) {}

  /**
   * Terms go some at a time, the taxonomy with the last of them: what an interruption leaves behind is a taxonomy with
   * fewer terms, which can be deleted as before.
   *
   * @param confirm the name, sent again to say that the terms may go too
   * @throws {DomainError} `taxonomy_not_found`, `taxonomy_in_use`: content types name it, `taxonomy_not_empty`
   */
  async remove(taxonomy: Taxonomy, confirm: string | null): Promise<void> {
    while (!(await this.unitOfWork.run((manager) => this.step(manager, taxonomy, confirm))));
    this.taxonomies.refresh();
  }

  /** @returns whether the taxonomy is gone */
  private async step(manager: EntityManager, { id, name }: Taxonomy, confirm: string | null): Promise<boolean> {
    const taxonomy = await this.terms.lockTaxonomy(manager, id);
    if (!taxonomy) throw taxonomyNotFound(name);
    const types = await this.referrers.get().typesWith(manager, name);
    if (types.length > 0) throw taxonomyInUse(name, types);
    if (confirm !== name) {
      const terms = await this.store.countTerms(manager, taxonomy);
      if (terms > 0) throw taxonomyNotEmpty(name, terms);
    }
    const removed = await this.store.removeBatch(manager, taxonomy);
    if (removed.length > 0) await this.terms.touch(manager, taxonomy);
    else await this.store.remove(manager, taxonomy);
    return removed.length === 0;
  }
}
