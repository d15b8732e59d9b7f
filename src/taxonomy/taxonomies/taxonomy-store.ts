import { Injectable } from '@nestjs/common';
import { In, MoreThan, type EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { insertRow } from '../../database/statements/statement.js';
import { TaxonomyEntity, Term, TermRedirect } from './taxonomy.entity.js';
import type { Taxonomy } from './taxonomy.js';

/** The values that a taxonomy is to have. */
export type TaxonomyDraft = Pick<Taxonomy, 'name' | 'label' | 'labelPlural' | 'description' | 'isHierarchical'>;

const BATCH = 1_000;

/** The statements that write taxonomies inside a unit of work. */
@Injectable()
export class TaxonomyStore {
  constructor(private readonly clock: Clock) {}

  async insert(manager: EntityManager, draft: TaxonomyDraft): Promise<void> {
    const now = this.clock.now();
    const times = { termsChangedAt: now, createdAt: now, updatedAt: now };
    await insertRow(manager, TaxonomyEntity, { ...draft, version: 1, ...times });
  }

  async update(manager: EntityManager, id: number, draft: TaxonomyDraft): Promise<void> {
    const next = { version: () => 'version + 1', updatedAt: this.clock.now() };
    await manager.update(TaxonomyEntity, { id }, { ...draft, ...next });
  }

  async remove(manager: EntityManager, { id, name }: Taxonomy): Promise<void> {
    await manager.delete(TermRedirect, { taxonomy: name });
    await manager.delete(TaxonomyEntity, { id });
  }

  /** Terms of a taxonomy, or only those that stand under another one. */
  countTerms(manager: EntityManager, { name }: Taxonomy, which: 'all' | 'nested' = 'all'): Promise<number> {
    return manager.countBy(Term, which === 'nested' ? { taxonomy: name, depth: MoreThan(1) } : { taxonomy: name });
  }

  /** Removes some terms of a taxonomy, the last ones first. Returns whether none was left. */
  async removeTerms(manager: EntityManager, { name }: Taxonomy): Promise<boolean> {
    const last = await manager.find(Term, {
      select: { id: true },
      where: { taxonomy: name },
      order: { sortKey: 'DESC' },
      take: BATCH,
    });
    const ids = last.map(({ id }) => id);
    if (ids.length > 0) await manager.delete(Term, { id: In(ids) });
    return ids.length === 0;
  }
}
