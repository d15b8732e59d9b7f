import type { CompiledType } from '../../content-types/definition/content-type.js';
import type { Dialect } from '../../database/dialect/dialect.js';
import type { Reader } from '../../database/statements/reads.js';

/** The columns that make the address of a record, beside its type. */
export interface AddressRow {
  readonly id: number | string;
  readonly type_id: number | string;
  readonly slug: string;
  readonly locale: string;
  /** The time at which it was written last, milliseconds since 1970, UTC. */
  readonly updated_at: number | string;
}

/**
 * Published records whose ids lie between two, these included, in the order of their ids.
 *
 * @param condition `AND …` on their rows `r`, such as {@link repeatedAddresses}; empty: none
 */
export function publishedAddresses(
  reader: Reader,
  from: number,
  upTo: number,
  condition: string,
): Promise<AddressRow[]> {
  // No type is asked for: an index that begins with it would tempt the planner away from the range of ids.
  return reader.select<AddressRow>(
    `SELECT r.id, r.type_id, r.slug, r.locale, r.updated_at FROM records r
        WHERE r.id BETWEEN ? AND ? AND r.status = 'published' AND r.trashed_at = 0 ${condition}
        ORDER BY r.id`,
    [from, upTo],
  );
}

/**
 * A condition that leaves out those rows `r` of `records` whose address an older published record has, or nothing where
 * no address can be there twice. Within a type none can; two types may have one `url_path`.
 *
 * @param types those whose records are asked for
 */
export function repeatedAddresses(types: readonly CompiledType[], dialect: Dialect): string {
  const older = (condition: string) => existsOlder(condition, dialect);
  const conditions: string[] = [];
  for (const group of groupsOf(types)) {
    const [type] = group;
    if (!type || type.url_path.includes('{id}')) continue;
    const ids = group.map(({ id }) => id);
    if (ids.length > 1) conditions.push(repeatedAmong(type, ids, older));
  }
  return conditions.map((condition) => `AND NOT ${condition}`).join(' ');
}

/** Types by what their addresses are made of. */
function groupsOf(types: readonly CompiledType[]): CompiledType[][] {
  const groups = new Map<string, CompiledType[]>();
  for (const type of types) {
    const address = type.url_path.replaceAll('{type}', type.name);
    groups.set(address, [...(groups.get(address) ?? []), type]);
  }
  return [...groups.values()];
}

/** An index serves one type at a time, so each is asked for by itself. */
function repeatedAmong(type: CompiledType, ids: readonly number[], older: (condition: string) => string): string {
  const sameLocale = type.sharesAddresses ? '' : ' AND o.locale = r.locale';
  const each = ids.map((id) => older(`o.type_id = ${id}${sameLocale}`));
  return `(r.type_id IN (${ids.join(', ')}) AND (${each.join(' OR ')}))`;
}

/** Looks by the slug: by any other index a database would go through all records of the type for each row. */
function existsOlder(condition: string, dialect: Dialect): string {
  return `EXISTS (SELECT 1 FROM records o${dialect.byIndex('u_records_slug')}
    WHERE ${condition} AND o.slug = r.slug AND o.id < r.id AND o.status = 'published' LIMIT 1)`;
}
