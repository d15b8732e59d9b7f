import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditedUnits, type AddEvent } from '../../audit/audited-units.js';
import type { Caller } from '../../common/access/caller.js';
import type { Visitor } from '../../common/access/visitor.js';
import { TaxonomiesService } from '../taxonomies/taxonomies.service.js';
import { taxonomyInUse, taxonomyNotEmpty, taxonomyNotFound } from '../taxonomies/taxonomy.errors.js';
import { TaxonomyReferrersHost } from '../taxonomies/taxonomy-referrers.port.js';
import { TaxonomyStore } from '../taxonomies/taxonomy-store.js';
import type { Taxonomy } from '../taxonomies/taxonomy.js';
import { TermStore } from '../terms/term-store.js';

/** How a taxonomy is deleted, and by whom. */
interface Removal {
  /** The name, sent again to say that the terms may go too. */
  readonly confirm: string | null;
  readonly caller: Caller;
  readonly visitor: Visitor | null;
}

/** Deletes taxonomies that no content type names, and their terms with them. */
@Injectable()
export class TaxonomyRemovalService {
  constructor(
    private readonly units: AuditedUnits,
    private readonly taxonomies: TaxonomiesService,
    private readonly store: TaxonomyStore,
    private readonly terms: TermStore,
    private readonly referrers: TaxonomyReferrersHost,
  ) {}

  /**
   * Terms go some at a time, the taxonomy with the last of them: what an interruption leaves behind is a taxonomy with
   * fewer terms, which can be deleted as before.
   *
   * @throws {DomainError} `taxonomy_not_found`, `taxonomy_in_use`: content types name it, `taxonomy_not_empty`,
   *   `invalid_token`, `insufficient_scope`
   */
  async remove(taxonomy: Taxonomy, { confirm, ...by }: Removal): Promise<void> {
    const who = { ...by, scope: 'types:write' } as const;
    const step = async (manager: EntityManager, add: AddEvent): Promise<boolean> => {
      const isGone = await this.step(manager, await this.requireRemovable(manager, taxonomy, confirm));
      if (isGone) await add('taxonomy.deleted', { taxonomy: taxonomy.name });
      return isGone;
    };
    while (!(await this.units.run(who, step)));
    this.taxonomies.refresh();
  }

  /** The taxonomy as it is locked, with nothing that speaks against its removal. */
  private async requireRemovable(
    manager: EntityManager,
    { id, name }: Taxonomy,
    confirm: string | null,
  ): Promise<Taxonomy> {
    const taxonomy = await this.taxonomies.lock(manager, id);
    if (!taxonomy) throw taxonomyNotFound(name);
    const types = await this.referrers.get().typesWith(manager, name);
    if (types.length > 0) throw taxonomyInUse(name, types);
    if (confirm !== name) {
      const terms = await this.store.countTerms(manager, taxonomy);
      if (terms > 0) throw taxonomyNotEmpty(name, terms);
    }
    return taxonomy;
  }

  /** @returns whether the taxonomy is gone */
  private async step(manager: EntityManager, taxonomy: Taxonomy): Promise<boolean> {
    const removed = await this.store.removeBatch(manager, taxonomy);
    if (removed.length > 0) await this.terms.touch(manager, taxonomy);
    else await this.store.remove(manager, taxonomy);
    return removed.length === 0;
  }
}
