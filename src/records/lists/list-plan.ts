import type { CompiledType, Status } from '../../content-types/content-type.js';
import { STATUSES } from '../../content-types/content-type.js';
import { placeholders } from '../../database/statement.js';
import type { BrowseQuery, SortKey } from './browse-query.js';
import { all, behind, filterCondition, indexRows, sql, type OrderColumn, type Sql } from './conditions.js';
import type { Cursor } from '../../common/cursor.js';
import type { Filter } from './filters.js';
import { ownProperty } from './properties.js';
import type { Place } from './record-positions.js';
import { ALL_COLUMNS, NARROW_COLUMNS, WITH_CONTENTS } from '../record-row.js';

/** Which records a list is about, before it is filtered and cut into pages. */
export interface ListScope {
  readonly type: CompiledType;
  /** Statuses that the caller may see and asks for; at least one. */
  readonly statuses: readonly Status[];
  readonly isTrash: boolean;
}

interface PlanOptions {
  /** A filter that matches so little that its matches are found first. */
  readonly lead: Filter | null;
  /** Whether the rows are wanted without their contents. */
  readonly isNarrow: boolean;
  /** The join of the dialect that keeps its tables in the order they are written in. */
  readonly orderedJoin: string;
}

/**
 * The statements of one list. Every page is read in two steps: an inner query finds the ids in an index,
 * the outer one reads the rows of these ids alone, so that a deep page does not carry bodies along.
 */
export class ListPlan {
  readonly order: readonly OrderColumn[];
  private readonly source: Sql;
  private readonly conditions: readonly Sql[];

  constructor(
    private readonly scope: ListScope,
    private readonly query: BrowseQuery,
    private readonly options: PlanOptions,
  ) {
    const { type, statuses, isTrash } = scope;
    const { sort, filters } = query;
    const isFieldFirst = options.lead === null && sort[0]?.property.fieldKey != null;
    this.order = orderColumns(sort, isFieldFirst);
    this.source = source(sort, options, isFieldFirst);
    this.conditions = [
      sql('r.type_id = ?', type.id),
      ...statusConditions(statuses),
      sql(isTrash ? 'r.trashed_at > 0' : 'r.trashed_at = 0'),
      ...filters.filter((filter) => filter !== options.lead).map(filterCondition),
    ];
  }

  /** Rows in the order of the list, from an offset or behind a cursor. */
  forwards(cursor: Cursor | null, offset: number, limit: number): Sql {
    const extra = cursor ? [behind(this.order, cursor.after)] : [];
    return this.page([...this.conditions, ...extra], this.order, { offset, limit });
  }

  /** Whether the list is in the order of creation, all of it: places in it can be told by time then. */
  get isByCreation(): boolean {
    const [first, second] = this.query.sort;
    return (
      this.query.filters.length === 0 &&
      !this.scope.isTrash &&
      first?.property === ownProperty('created_at') &&
      second?.property === ownProperty('id') &&
      first.isDescending === second.isDescending
    );
  }

  /** Rows of a list in the order of creation, some places behind the first one of a time. */
  fromPlace({ from, skip }: Place, limit: number): Sql {
    const isDescending = this.query.sort[0]?.isDescending ?? true;
    const start = sql(`r.created_at ${isDescending ? '<=' : '>='} ?`, from);
    return this.page([...this.conditions, start], this.order, { offset: skip, limit });
  }

  /** The rows of a page near the end, last one first. */
  backwards(total: number, offset: number, perPage: number): Sql {
    const limit = Math.min(perPage, total - offset);
    const reversed = this.order.map((column) => ({ ...column, isDescending: !column.isDescending }));
    return this.page(this.conditions, reversed, { offset: total - offset - limit, limit });
  }

  counting(): Sql {
    const where = all(this.conditions);
    const joins = this.options.lead ? this.source : sql('records r');
    return sql(`SELECT COUNT(*) AS n FROM ${joins.text} WHERE ${where.text}`, ...joins.values, ...where.values);
  }

  private page(
    conditions: readonly Sql[],
    order: readonly OrderColumn[],
    { offset, limit }: { offset: number; limit: number },
  ): Sql {
    const where = all(conditions);
    const values = order.map(({ expression }, index) => `, ${expression} AS o${index}`).join('');
    const inner = orderBy(order.map(({ expression, isDescending }) => ({ expression, isDescending })));
    const outer = orderBy(order.map(({ isDescending }, index) => ({ expression: `p.o${index}`, isDescending })));
    const [columns, contents] = this.options.isNarrow ? [NARROW_COLUMNS, ''] : [ALL_COLUMNS, WITH_CONTENTS];
    return sql(
      `SELECT ${columns}${order.map((_, index) => `, p.o${index}`).join('')}
         FROM (SELECT r.id AS id${values} FROM ${this.source.text} WHERE ${where.text} ${inner} LIMIT ? OFFSET ?) p
         JOIN records r ON r.id = p.id ${contents} ${outer}`,
      ...this.source.values,
      ...where.values,
      limit,
      offset,
    );
  }
}

function orderBy(columns: readonly { expression: string; isDescending: boolean }[]): string {
  return `ORDER BY ${columns.map(({ expression, isDescending }) => `${expression} ${isDescending ? 'DESC' : 'ASC'}`).join(', ')}`;
}

function statusConditions(statuses: readonly Status[]): Sql[] {
  if (statuses.length === STATUSES.length) return [];
  const [only] = statuses;
  return statuses.length === 1 && only
    ? [sql('r.status = ?', only)]
    : [sql(`r.status IN (${placeholders(statuses)})`, ...statuses)];
}

/** The table that leads, and those that the other keys of the order stand in. */
function source(sort: readonly SortKey[], { lead, orderedJoin }: PlanOptions, isFieldFirst: boolean): Sql {
  const joins = sort.flatMap(({ property }, index) => {
    if (property.fieldKey === null || (isFieldFirst && index === 0)) return [];
    return [
      sql(
        ` JOIN record_fields s${index} ON s${index}.record_id = r.id AND s${index}.field_id = ? AND s${index}.pos = 0`,
        property.fieldKey,
      ),
    ];
  });
  const first = leadingTable(sort, lead, isFieldFirst, orderedJoin);
  return sql(
    first.text + joins.map(({ text }) => text).join(''),
    ...first.values,
    ...joins.flatMap(({ values }) => values),
  );
}

function leadingTable(sort: readonly SortKey[], lead: Filter | null, isFieldFirst: boolean, orderedJoin: string): Sql {
  if (lead) {
    const rows = indexRows(lead);
    return sql(
      `(SELECT DISTINCT f.record_id AS id FROM record_fields f WHERE ${rows.text}) m ${orderedJoin} records r ON r.id = m.id`,
      ...rows.values,
    );
  }
  if (!isFieldFirst) return sql('records r');
  const key = sort[0]?.property.fieldKey ?? null;
  return sql(
    `record_fields s0 ${orderedJoin} records r ON r.id = s0.record_id AND s0.field_id = ? AND s0.pos = 0`,
    key,
  );
}

/** Columns of the index of a leading field that hold the same as a column of `records`. */
const IN_FIELD_INDEX: Readonly<Record<string, string>> = { created_at: 's0.sort_at', id: 's0.record_id' };

/** Where a field leads and all keys run in one direction, its index gives the whole order. */
function orderColumns(sort: readonly SortKey[], isFieldFirst: boolean): OrderColumn[] {
  const isByIndex = isFieldFirst && sort.every(({ isDescending }) => isDescending === sort[0]?.isDescending);
  return sort.map(({ property, isDescending }, index) => {
    const table = property.fieldKey === null ? 'r' : `s${index}`;
    const indexed = isByIndex && property.fieldKey === null ? IN_FIELD_INDEX[property.name] : undefined;
    return { expression: indexed ?? `${table}.${property.sortColumn}`, isDescending, isNullable: property.isNullable };
  });
}
