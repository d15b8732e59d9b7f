import type { EntityManager } from 'typeorm';
import { placeholders, select } from '../../database/statements/statement.js';
import { hasAnySlug, slugKey, type Slugs, slugsOf } from '../terms/term-slug.js';

/** A term that cannot go away until the unit of work ends. */
export interface HeldTerm {
  readonly id: number;
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
  readonly sortKey: string;
}

interface Row {
  readonly id: number | string;
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
  readonly sort_key: string;
  readonly asked: number | string;
}

/** The level stands in no index: a server that reads an index alone locks that alone, and the term could be deleted. */
const COLUMNS = 't.id, t.taxonomy, t.slug, t.name, t.sort_key, t.depth';

const held = ({ id, sort_key: sortKey, taxonomy, slug, name }: Row): HeldTerm => ({
  id: Number(id),
  ...{ taxonomy, slug, name, sortKey },
});

/**
 * The terms of these ids, by the ids that were asked for; a merged one is the term that it went into.
 *
 * @param lock what holds them, as the dialect writes it
 */
export async function holdByIds(
  manager: EntityManager,
  ids: readonly number[],
  lock: string,
): Promise<ReadonlyMap<number, HeldTerm>> {
  const found = await byId(manager, `SELECT ${COLUMNS}, t.id AS asked FROM terms t WHERE t.id IN (%)${lock}`, ids);
  const missing = ids.filter((id) => !found.has(id));
  const merged = await byId(
    manager,
    `SELECT ${COLUMNS}, r.term_id AS asked FROM term_redirects r JOIN terms t ON t.id = r.into_id
      WHERE r.term_id IN (%)${lock}`,
    missing,
  );
  return new Map([...found, ...merged]);
}

/** The terms of these slugs, by {@link slugKey}; a slug without a term stands for the term that its last owner was merged into. */
export async function holdBySlugs(
  manager: EntityManager,
  slugs: Slugs,
  lock: string,
): Promise<ReadonlyMap<string, HeldTerm>> {
  const found = await bySlug(manager, `SELECT ${COLUMNS}, t.slug AS asked FROM terms t WHERE (%)`, 't', slugs, lock);
  const asked = [...slugs].flatMap(([taxonomy, texts]) => [...texts].map((text) => [taxonomy, text] as const));
  const missing = slugsOf(asked.filter(([taxonomy, slug]) => !found.has(slugKey(taxonomy, slug))));
  const merged = await bySlug(
    manager,
    `SELECT ${COLUMNS}, r.slug AS asked FROM term_redirects r JOIN terms t ON t.id = r.into_id
      WHERE (%) ORDER BY r.term_id`,
    'r',
    missing,
    lock,
  );
  return new Map([...found, ...merged]);
}

/** The terms whose names have one of these keys (`nameKey`), by taxonomy. */
export async function holdByNames(manager: EntityManager, keys: Slugs, lock: string): Promise<readonly HeldTerm[]> {
  if (keys.size === 0) return [];
  const { sql, values } = hasAnySlug('t', keys, 'name_key');
  const rows = await select<Row>(
    manager,
    `SELECT ${COLUMNS}, t.id AS asked FROM terms t WHERE (${sql})${lock}`,
    values,
  );
  return rows.map(held);
}

async function byId(manager: EntityManager, sql: string, ids: readonly number[]): Promise<Map<number, HeldTerm>> {
  if (ids.length === 0) return new Map();
  const rows = await select<Row>(manager, sql.replace('%', placeholders(ids)), ids);
  return new Map(rows.map((row) => [Number(row.asked), held(row)]));
}

async function bySlug(
  manager: EntityManager,
  sql: string,
  table: 't' | 'r',
  slugs: Slugs,
  lock: string,
): Promise<Map<string, HeldTerm>> {
  if (slugs.size === 0) return new Map();
  const { sql: condition, values } = hasAnySlug(table, slugs);
  const rows = await select<Row>(manager, sql.replace('%', condition) + lock, values);
  return new Map(rows.map((row) => [slugKey(row.taxonomy, String(row.asked)), held(row)]));
}
