import { LAST_CODE_POINT, placeholders, type SqlValue, joined, type Sql } from '../../database/statements/statement.js';
import type { CursorValue } from '../../common/envelope.js';
import { subtreeOf } from '../../taxonomy/terms/named-terms.js';
import type { Filter, Op } from './filters.js';
import { ownProperty, type Property } from './properties.js';

export const sql = (text: string, ...values: SqlValue[]): Sql => ({ text, values });

export function all(parts: readonly Sql[]): Sql {
  return joined(parts, ' AND ');
}

const UNIQUE: ReadonlySet<Property> = new Set([ownProperty('id'), ownProperty('slug')]);
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;
const COMPARISON: Partial<Record<Op, string>> = { eq: '=', lt: '<', lte: '<=', gt: '>', gte: '>=' };

/** A condition that says something about a value that is there. */
function positive(column: string, op: Op, values: Filter['values']): Sql {
  const [value = ''] = values;
  switch (op) {
    case 'in':
      if (values.every(Number.isSafeInteger)) return sql(`${column} IN (${values.join(', ')})`);
      return sql(`${column} IN (${placeholders(values)})`, ...values);
    case 'contains':
      return sql(`INSTR(${column}, ?) > 0`, value);
    case 'starts':
      return beginning(column, String(value));
    case 'exists':
      return sql(`${column} IS NOT NULL`);
    default:
      return sql(`${column} ${COMPARISON[op] ?? '='} ?`, value);
  }
}

/**
 * Values that begin with a text. Databases which fill up the shorter of two texts with spaces sort `a` and a line
 * break before `a`, so the range begins behind all that could stand before; and for them `a` is `a ` too.
 */
function beginning(column: string, text: string): Sql {
  if (text === '') return sql(`${column} IS NOT NULL`);
  const range = sql(`${column} > ? AND ${column} < ?`, `${justBefore(text)}${LAST_CODE_POINT}`, text + LAST_CODE_POINT);
  return text.endsWith(' ')
    ? sql(`(${range.text} AND ${column} <> ?)`, ...range.values, text.trimEnd())
    : bracketed(range);
}

function bracketed({ text, values }: Sql): Sql {
  return { text: `(${text})`, values };
}

/** The text with the character before its last one: `'ab'` -> `'aa'` */
function justBefore(text: string): string {
  const last = Array.from(text).at(-1) ?? '';
  const before = (last.codePointAt(0) ?? 1) - 1;
  // The halves of surrogate pairs, which end here, are no characters.
  return text.slice(0, -last.length) + String.fromCodePoint(before === LAST_SURROGATE ? FIRST_SURROGATE - 1 : before);
}

/** `ne`, `nin` and `exists=false` also hold for records that have no value: they are the opposite of these. */
function opposite({ op, values }: Filter): Op | null {
  if (op === 'ne') return 'eq';
  if (op === 'nin') return 'in';
  return op === 'exists' && values[0] === 0 ? 'exists' : null;
}

/** True if a filter picks records by a value they have in the side index, so that the index can lead. */
export function picksByIndex(filter: Filter): boolean {
  return filter.property.fieldKey !== null && opposite(filter) === null && filter.op !== 'contains';
}

/** True if a filter names the records it wants, at most as many as it has values. */
export function namesRecords({ property, op }: Filter): boolean {
  return UNIQUE.has(property) && (op === 'eq' || op === 'in');
}

/** True if a filter goes by all terms of a subtree that is too large to list. */
export function goesBySubtree({ op }: Filter): boolean {
  return op === 'under';
}

/** A condition that a column holds the term, or one that stands under it. */
function within(column: string, [term = 0]: Filter['values']): Sql {
  const { sql: ids, values } = subtreeOf(term);
  return sql(`${column} IN (${ids})`, ...values);
}

/** Rows of the side index that a filter on a field of the type picks. */
export function indexRows({ property, op, values }: Filter, fieldId = 'f.field_id'): Sql {
  if (property.kind === 'term' && op === 'exists') {
    return sql(`${fieldId} = ? AND f.str = ?`, property.fieldKey, property.name);
  }
  const column = `f.${property.column}`;
  const condition = op === 'under' ? within(column, values) : positive(column, op, values);
  return sql(`${fieldId} = ? AND ${condition.text}`, property.fieldKey, ...condition.values);
}

/** The condition of a filter on a row `r` of `records`. */
export function filterCondition(filter: Filter): Sql {
  const { property, op, values } = filter;
  const negated = opposite(filter);
  if (property.fieldKey !== null) {
    // The sign leaves the primary key alone to find the rows of a record: without statistics SQLite would go through
    // all values of the field, in their index, for each record. MySQL and MariaDB see no sign in it.
    const rows = indexRows({ property, op: negated ?? op, values }, '+f.field_id');
    // LIMIT keeps MySQL and MariaDB from turning this into a join that starts at the wrong table.
    const exists = `EXISTS (SELECT 1 FROM record_fields f WHERE f.record_id = r.id AND ${rows.text} LIMIT 1)`;
    return { text: negated ? `NOT ${exists}` : exists, values: rows.values };
  }
  const column = `r.${property.column}`;
  const condition = positive(column, negated ?? op, values);
  if (!negated) return condition;
  return { text: `(NOT (${condition.text}) OR ${column} IS NULL)`, values: condition.values };
}

/** A column that a list is sorted by. */
export interface OrderColumn {
  readonly expression: string;
  readonly isDescending: boolean;
  readonly isNullable: boolean;
}

/** `NULL` sorts before everything on every database: first when ascending, last when descending. */
function beyond({ expression, isDescending, isNullable }: OrderColumn, value: CursorValue): Sql | null {
  if (value === null) return isDescending ? null : sql(`${expression} IS NOT NULL`);
  if (!isDescending) return sql(`${expression} > ?`, value);
  return sql(isNullable ? `(${expression} < ? OR ${expression} IS NULL)` : `${expression} < ?`, value);
}

function level({ expression }: OrderColumn, value: CursorValue): Sql {
  return value === null ? sql(`${expression} IS NULL`) : sql(`${expression} = ?`, value);
}

/**
 * Rows that stand behind the one with these values.
 * Written out, since MySQL and MariaDB do not use an index for `(a, b) < (?, ?)`; the bound on the first column
 * gives their planners the start.
 */
export function behind(columns: readonly OrderColumn[], values: readonly CursorValue[]): Sql {
  const steps = columns.flatMap((column, index) => {
    const further = beyond(column, values[index] ?? null);
    if (!further) return [];
    const before = columns.slice(0, index).map((earlier, position) => level(earlier, values[position] ?? null));
    return [all([...before, further])];
  });
  const any = joined(
    steps.map(({ text, values: own }) => ({ text: `(${text})`, values: own })),
    ' OR ',
  );
  const bound = firstBound(columns[0], values[0] ?? null);
  const condition = { text: `(${any.text || '1 = 0'})`, values: any.values };
  return bound ? all([bound, condition]) : condition;
}

/** The start of an index range of rows behind a value; `null` if they are no single range of it. */
export function firstBound(column: OrderColumn | undefined, value: CursorValue): Sql | null {
  if (!column || value === null || (column.isDescending && column.isNullable)) return null;
  return sql(`${column.expression} ${column.isDescending ? '<=' : '>='} ?`, value);
}
