import { isAllowed, type Caller } from '../../common/access/caller.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import type { Condition } from '../../database/dialect/dialect.js';
import { placeholders } from '../../database/statements/statement.js';
import type { HiddenTerms } from '../../taxonomy/assignment/term-assignment.js';
import { assignedTagsWithout } from '../../taxonomy/terms/named-terms.js';
import { TERM_ID } from '../../taxonomy/terms/term-usage.port.js';

/**
 * The condition on rows of `terms` that have a record the caller may see, by the maintained counters and the deltas not
 * yet folded into them. `null`: the caller sees every record.
 */
export function visibleTerms(caller: Caller, types: readonly CompiledType[]): Condition | null {
  if (isAllowed(caller, 'drafts:read') && isAllowed(caller, 'records:read')) return null;
  const read = types.filter(({ name }) => isAllowed(caller, 'records:read', name));
  if (read.length === 0) return { sql: '1 = 0', values: [] };
  const whole = read.filter(({ name }) => isAllowed(caller, 'drafts:read', name)).map(({ id }) => id);
  const published = read.map(({ id }) => id).filter((id) => !whole.includes(id));
  const places = [
    ...(whole.length > 0 ? [`type_id IN (${placeholders(whole)})`] : []),
    ...(published.length > 0 ? [`(status = 'published' AND type_id IN (${placeholders(published)}))`] : []),
  ].join(' OR ');
  const sum = (column: string, table: string): string =>
    `(SELECT COALESCE(SUM(${column}), 0) FROM ${table} WHERE term_id = ${TERM_ID} AND (${places}))`;
  const values = [...whole, ...published];
  return { sql: `${sum('n', 'term_counts')} + ${sum('d', 'record_deltas')} > 0`, values: [...values, ...values] };
}

/**
 * Which terms a caller cannot assign by their ids: tags that only records which they may not see have. Otherwise the
 * answer would disclose the name of each id.
 *
 * @param own those that the record has already
 */
export function hiddenTags(caller: Caller, types: readonly CompiledType[], own: readonly number[]): HiddenTerms {
  const held = isAllowed(caller, 'taxonomy:write') ? null : visibleTerms(caller, types);
  return async (manager, ids) => {
    const foreign = ids.filter((id) => !own.includes(id));
    if (held === null || foreign.length === 0) return new Set();
    return assignedTagsWithout(manager, foreign, held);
  };
}
