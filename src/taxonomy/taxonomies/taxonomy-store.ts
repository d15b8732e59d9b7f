import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { execute, placeholders, select } from '../../database/statements/statement.js';
import { Freezes } from '../../database/units/freezes.js';
import type { Taxonomy } from './taxonomy.js';

/** The values that a taxonomy is to have. */
export interface TaxonomyDraft {
  readonly name: string;
  readonly label: string;
  readonly labelPlural: string;
  readonly description: string;
  readonly isHierarchical: boolean;
}

/** How often a taxonomy was changed, and when. Milliseconds since 1970, UTC. */
export interface TaxonomyStamp {
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const BATCH = 1_000;

/** The statements that write taxonomies inside a unit of work. */
@Injectable()
export class TaxonomyStore {
  constructor(
    private readonly clock: Clock,
    private readonly dialect: Dialect,
    private readonly freezes: Freezes,
  ) {}

  /**
   * Runs units of work that remove a taxonomy, while no type takes it and no term comes to it on any server.
   *
   * @param look refuses beforehand what can be refused without keeping types and terms away
   */
  whileFrozen<Result>({ id }: Taxonomy, work: () => Promise<Result>, look: () => Promise<unknown>): Promise<Result> {
    return this.freezes.around({ table: 'taxonomies', ids: [id] }, work, look);
  }

  /** @param stamp where it comes from another database */
  async insert(manager: EntityManager, draft: TaxonomyDraft, stamp?: TaxonomyStamp): Promise<void> {
    const now = this.clock.now();
    const { version, createdAt, updatedAt } = stamp ?? { version: 1, createdAt: now, updatedAt: now };
    await execute(
      manager,
      `INSERT INTO taxonomies (name, label, label_plural, description, is_hierarchical, version,
                               terms_changed_at, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        ...[draft.name, draft.label, draft.labelPlural, draft.description, Number(draft.isHierarchical)],
        ...[version, now, createdAt, updatedAt],
      ],
    );
  }

  /** Makes a taxonomy what one of another database is. */
  async replace(manager: EntityManager, id: number, draft: TaxonomyDraft, stamp: TaxonomyStamp): Promise<void> {
    await execute(
      manager,
      `UPDATE taxonomies SET label = ?, label_plural = ?, description = ?, is_hierarchical = ?,
                             version = ?, created_at = ?, updated_at = ? WHERE id = ?`,
      [
        ...[draft.label, draft.labelPlural, draft.description, Number(draft.isHierarchical)],
        ...[stamp.version, stamp.createdAt, stamp.updatedAt, id],
      ],
    );
  }

  async update(manager: EntityManager, id: number, draft: TaxonomyDraft): Promise<void> {
    await execute(
      manager,
      `UPDATE taxonomies SET label = ?, label_plural = ?, description = ?, is_hierarchical = ?,
                             version = version + 1, updated_at = ? WHERE id = ?`,
      [...[draft.label, draft.labelPlural, draft.description, Number(draft.isHierarchical)], ...[this.clock.now(), id]],
    );
  }

  async remove(manager: EntityManager, { id, name }: Taxonomy): Promise<void> {
    await execute(manager, 'DELETE FROM term_redirects WHERE taxonomy = ?', [name]);
    await execute(manager, 'DELETE FROM taxonomies WHERE id = ?', [id]);
  }

  /** Terms of a taxonomy, or only those that stand under another one. */
  async countTerms(manager: EntityManager, { name }: Taxonomy, which: 'all' | 'nested' = 'all'): Promise<number> {
    const nested = which === 'nested' ? ' AND depth > 1' : '';
    const sql = `SELECT COUNT(*) AS n FROM terms WHERE taxonomy = ?${nested}`;
    const [row] = await select<{ n: number | string }>(manager, sql, [name]);
    return Number(row?.n ?? 0);
  }

  /** Removes some terms of a taxonomy, the last ones first. Returns their ids; none when nothing is left. */
  async removeBatch(manager: EntityManager, { name }: Taxonomy): Promise<readonly number[]> {
    const sql = `SELECT id FROM terms WHERE taxonomy = ? ORDER BY sort_key DESC LIMIT ${BATCH}`;
    const ids = (await select<{ id: number | string }>(manager, sql, [name])).map(({ id }) => Number(id));
    if (ids.length > 0) await execute(manager, `DELETE FROM terms WHERE id IN (${placeholders(ids)})`, ids);
    return ids;
  }
}
