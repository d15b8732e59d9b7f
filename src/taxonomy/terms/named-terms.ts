import type { EntityManager } from 'typeorm';
import { ownTurn } from '../../common/concurrency/own-turn.js';
import type { Condition } from '../../database/dialect/dialect.js';
import { type Reader, selectIds, readerOf } from '../../database/statements/reads.js';
import { placeholders, type SqlValue } from '../../database/statements/statement.js';
import { BEHIND_ALL } from './term-keys.js';

/** A term as it is called. */
export interface NamedTerm {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
}

/** Terms that are read in one turn of the event loop. */
const PORTION = 2_000;

/**
 * Terms by the ids that were asked for, as the reader sees them and never from memory: one that was merged is the one it
 * went into. Ids that belong to none are absent.
 */
export async function namedTerms(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, NamedTerm>> {
  const found = new Map<number, NamedTerm>();
  for (let start = 0; start < ids.length; start += PORTION) {
    if (start > 0) await ownTurn();
    const some = ids.slice(start, start + PORTION);
    const these = placeholders(some);
    const rows = await reader.select<Record<'asked' | 'id', number | string> & Pick<NamedTerm, 'slug' | 'name'>>(
      `SELECT t.id AS asked, t.id, t.slug, t.name FROM terms t WHERE t.id IN (${these})
       UNION ALL
       SELECT r.term_id AS asked, t.id, t.slug, t.name FROM term_redirects r JOIN terms t ON t.id = r.into_id
        WHERE r.term_id IN (${these})`,
      [...some, ...some],
    );
    for (const { asked, ...term } of rows) found.set(Number(asked), { ...term, id: Number(term.id) });
  }
  return found;
}

/** Names of terms by id, as the reader sees them. Ids of terms that were merged or deleted are absent. */
export async function termNames(reader: Reader, ids: Iterable<number>): Promise<ReadonlyMap<number, string>> {
  const asked = [...new Set(ids)];
  if (asked.length === 0) return new Map();
  const rows = await reader.select<{ id: number | string; name: string }>(
    `SELECT id, name FROM terms WHERE id IN (${placeholders(asked)})`,
    asked,
  );
  return new Map(rows.map(({ id, name }) => [Number(id), name]));
}

/** A statement that selects the ids of a term and of all that stands under it; a `LIMIT` may follow. */
export function subtreeOf(id: SqlValue): Condition {
  return {
    sql: `SELECT d.id FROM terms t
            JOIN terms d ON d.taxonomy = t.taxonomy AND d.sort_key >= t.sort_key AND d.sort_key < CONCAT(t.sort_key, ?)
           WHERE t.id = ?`,
    values: [BEHIND_ALL, id],
  };
}

/**
 * Finds the terms that were made by being assigned to a record, in a taxonomy without a tree, and for whose rows of
 * `terms` a condition does not hold.
 */
export async function assignedTagsWithout(
  manager: EntityManager,
  asked: readonly number[],
  condition: Condition,
): Promise<ReadonlySet<number>> {
  const ids = await selectIds(
    readerOf(manager),
    `SELECT id FROM terms
        WHERE id IN (${placeholders(asked)}) AND COALESCE(made_by_hand, 0) = 0 AND NOT (${condition.sql})
          AND taxonomy IN (SELECT name FROM taxonomies WHERE is_hierarchical = 0)`,
    [...asked, ...condition.values],
  );
  return new Set(ids);
}
