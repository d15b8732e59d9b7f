import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { execute, placeholders, select } from '../../database/statements/statement.js';
import type { Taxonomy } from './taxonomy.js';

/** The values that a taxonomy is to have. */
export interface TaxonomyDraft {
  readonly name: string;
  readonly label: string;
  readonly labelPlural: string;
  readonly description: string;
  readonly isHierarchical: boolean;
}

const BATCH = 1_000;

/** The statements that write taxonomies inside a unit of work. */
@Injectable()
export class TaxonomyStore {
  constructor(
    private readonly clock: Clock,
    private readonly dialect: Dialect,
  ) {}

  async insert(manager: EntityManager, draft: TaxonomyDraft): Promise<void> {
    const now = this.clock.now();
    await execute(
      manager,
      `INSERT INTO taxonomies (name, label, label_plural, description, is_hierarchical, version,
                               terms_changed_at, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?)`,
      [
        ...[draft.name, draft.label, draft.labelPlural, draft.description, Number(draft.isHierarchical)],
        ...[now, now, now],
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
