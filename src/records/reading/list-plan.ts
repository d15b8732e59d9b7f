import type { CompiledType, Status } from '../../content-types/definition/content-type.js';
import { STATUSES } from '../../content-types/definition/content-type.js';
import { placeholders, type Sql } from '../../database/statements/statement.js';
import type { BrowseQuery, SortKey } from './browse-query.js';
import {
  all,
  behind,
  filterCondition,
  firstBound,
  goesBySubtree,
  indexRows,
  namesRecords,
  sql,
  type OrderColumn,
} from './conditions.js';
import type { Cursor } from '../../common/envelope.js';
import type { Filter } from './filters.js';
import type { RowShape } from '../rows/record-row.js';

/** The records that a list is about, before it is filtered and cut into pages. */
export interface ListScope {
  readonly type: CompiledType;
  /** Statuses that the caller may see and asks for; at least one. */
  readonly statuses: readonly Status[];
  readonly isTrash: boolean;
}

/** A filter that matches so little that its matches are found first. */
export interface LeadingFilter {
  readonly filter: Filter;
  readonly matches: number;
}

/** The number of rows that a statement goes through. */
export interface Walk {
  /** Rows that it passes in any case; `null`: all of the type. */
  readonly rows: number | null;
  /** True if it also passes records of statuses that are not asked for. */
  readonly passesHidden: boolean;
  /** Conditions that are tested for each of them, one of them for being there. */
  readonly tests: number;
  /** True if it first goes through a subtree of terms that is too large to list. */
  readonly passesSubtree: boolean;
}

interface PlanOptions {
  readonly lead: LeadingFilter | null;
  readonly shape: RowShape;
  /** The join of the dialect that keeps its tables in the order they are written in. */
  readonly orderedJoin: string;
}

/** Properties that an index of `records` is in the order of, and those that one is in the order of for each status. */
const INDEXED: ReadonlySet<string> = new Set(['created_at', 'updated_at', 'title']);
const INDEXED_BY_STATUS: ReadonlySet<string> = new Set(['created_at', 'published_at']);

/**
 * The statements of one list. Every page is read in two steps: an inner query finds the ids in an index,
 * the outer one reads the rows of these ids alone, so that a deep page does not carry bodies along.
 */
export class ListPlan {
  readonly order: readonly OrderColumn[];
  private readonly source: Sql;
  private readonly conditions: readonly Sql[];
  /** A filter that names its records. The signs leave the index that finds them alone; MySQL and MariaDB see no sign in them. */
  private readonly named: Filter | undefined;

  constructor(
    private readonly scope: ListScope,
    private readonly query: BrowseQuery,
    private readonly options: PlanOptions,
  ) {
    const { type, statuses, isTrash } = scope;
    const { sort, filters } = query;
    this.named = options.lead === null ? filters.find(namesRecords) : undefined;
    const isFieldFirst = options.lead === null && this.named === undefined && sort[0]?.property.fieldKey != null;
    this.order = orderColumns(sort, isFieldFirst);
    this.source = source(sort, options, isFieldFirst);
    this.conditions = [
      sql('r.type_id = ?', type.id),
      ...statusConditions(statuses, this.named ? '+r.status' : 'r.status'),
      sql(`${this.named ? '+' : ''}r.trashed_at ${isTrash ? '>' : '='} 0`),
      ...filters.filter((filter) => filter !== options.lead?.filter).map(filterCondition),
    ];
  }

  /** Rows in the order of the list, from an offset or behind a cursor. */
  forwards(cursor: Cursor | null, offset: number, limit: number): Sql {
    const extra = cursor ? [behind(this.order, cursor.after)] : [];
    return this.page([...this.conditions, ...extra], this.order, { offset, limit });
  }

  /**
   * Measures what it takes to read so many rows of the list.
   *
   * @param rows counted from the start, from the end or from a cursor; `null`: to the end
   */
  walk(rows: number | null): Walk {
    const { lead } = this.options;
    const tests = 1 + this.query.filters.length - (lead ? 1 : 0);
    const passesSubtree = this.query.filters.some(goesBySubtree);
    if (lead) return { rows: lead.matches, passesHidden: false, tests, passesSubtree };
    if (this.named) return { rows: this.named.values.length, passesHidden: false, tests, passesSubtree };
    const isInOrder = this.query.filters.length === 0 && !this.scope.isTrash && this.isByIndex;
    return { rows: isInOrder ? rows : null, passesHidden: !this.isStatusIndexed, tests, passesSubtree };
  }

  /** {@link walk} from a cursor: a range of the index, where the rows behind it are one. */
  walkBehind({ after }: Cursor, rows: number): Walk {
    const [first] = this.order;
    return this.walk(first && firstBound(first, after[0] ?? null) ? rows : null);
  }

  /** True if an index holds the records in the order of the list. */
  private get isByIndex(): boolean {
    const [first, ...ties] = this.query.sort;
    if (!first || ties.some(({ isDescending }) => isDescending !== first.isDescending)) return false;
    const { fieldKey, name } = first.property;
    const tail = ties.map(({ property }) => property.name).join();
    if (fieldKey !== null) return tail === 'created_at,id';
    return tail === 'id' && (INDEXED.has(name) || (INDEXED_BY_STATUS.has(name) && this.scope.statuses.length === 1));
  }

  /** True if the index leads past the records of other statuses. */
  private get isStatusIndexed(): boolean {
    const { length } = this.scope.statuses;
    return (
      length === STATUSES.length || (length === 1 && INDEXED_BY_STATUS.has(this.query.sort[0]?.property.name ?? ''))
    );
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
    const { columns, contents } = this.options.shape;
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

function statusConditions(statuses: readonly Status[], column: string): Sql[] {
  if (statuses.length === STATUSES.length) return [];
  const [only] = statuses;
  return statuses.length === 1 && only
    ? [sql(`${column} = ?`, only)]
    : [sql(`${column} IN (${placeholders(statuses)})`, ...statuses)];
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

function leadingTable(
  sort: readonly SortKey[],
  lead: LeadingFilter | null,
  isFieldFirst: boolean,
  orderedJoin: string,
): Sql {
  if (lead) {
    const rows = indexRows(lead.filter);
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

/** True if the index of a field gives the whole order: the field leads and all keys run in one direction. */
function orderColumns(sort: readonly SortKey[], isFieldFirst: boolean): OrderColumn[] {
  const isByIndex = isFieldFirst && sort.every(({ isDescending }) => isDescending === sort[0]?.isDescending);
  return sort.map(({ property, isDescending }, index) => {
    const table = property.fieldKey === null ? 'r' : `s${index}`;
    const indexed = isByIndex && property.fieldKey === null ? IN_FIELD_INDEX[property.name] : undefined;
    return { expression: indexed ?? `${table}.${property.sortColumn}`, isDescending, isNullable: property.isNullable };
  });
}
