import { type Sql, joined } from '../../database/statements/statement.js';
import { Injectable } from '@nestjs/common';
import { Dialect } from '../../database/dialect/dialect.js';
import { Reads } from '../../database/statements/reads.js';
import type { BrowseQuery } from './browse-query.js';
import { goesBySubtree, indexRows, picksByIndex } from './conditions.js';
import type { Cursor, CursorValue } from '../../common/envelope.js';
import type { Filter } from './filters.js';
import { ListPlan, type LeadingFilter, type ListScope, type Walk } from './list-plan.js';
import { RecordCounts } from '../counting/record-counts.js';
import type { ListedRow, RowShape } from '../rows/record-row.js';
import { CoalescedRuns } from '../../common/concurrency/coalesced-runs.js';
import { STATUSES } from '../../content-types/definition/content-type.js';

/** Tests of rows that take some ten milliseconds of SQLite: as much as requests may be held up by one list. */
const SHORT = 5_000;

/**
 * Runs the statements of lists. Where the database works in the thread that answers requests, a statement that may go
 * through many rows is run apart; how many it may be, its plan and the counters say.
 */
@Injectable()
export class ListStatements {
  /** A page that many ask for at once, as a front page is, is read for all of them together. */
  private readonly shared = new CoalescedRuns<readonly unknown[]>();

  constructor(
    private readonly reads: Reads,
    private readonly counts: RecordCounts,
  ) {}

  async rows<Row>(scope: ListScope, walk: Walk, { text, values }: Sql): Promise<readonly Row[]> {
    const isLong = await this.isLong(scope, walk);
    const rows = await this.shared.run(JSON.stringify([text, values]), () =>
      isLong ? this.reads.selectLong(text, values) : this.reads.select(text, values),
    );
    return rows as readonly Row[];
  }

  async count(scope: ListScope, walk: Walk, statement: Sql): Promise<number> {
    const [row] = await this.rows<{ n: number }>(scope, walk, statement);
    return row?.n ?? 0;
  }

  private async isLong(scope: ListScope, { rows, passesHidden, tests, passesSubtree }: Walk): Promise<boolean> {
    if (!this.reads.holdsUpRequests) return false;
    if (passesSubtree) return true;
    if (rows !== null && !passesHidden) return rows * tests > SHORT;
    // Nothing counts what is in the trash.
    if (scope.isTrash) return true;
    const all = await this.counts.total(scope.type.id, STATUSES);
    if (all * tests <= SHORT) return false;
    if (rows === null) return true;
    const shown = await this.counts.total(scope.type.id, scope.statuses);
    return (rows + all - shown) * tests > SHORT;
  }
}

/** One page of rows and what the list knows about itself. */
export interface RowPage<Row = ListedRow> {
  readonly rows: readonly Row[];
  readonly page: number;
  /** `null`: not counted. */
  readonly total: number | null;
  /** The start of the next page; `null` on the last one. */
  readonly next: Cursor | null;
}

/** A row with the values that it was sorted by. */
type SortedRow = ListedRow & Readonly<Record<`o${number}`, CursorValue>>;

/** The rows of a page, and whether more stand behind them. */
interface Found {
  readonly rows: readonly SortedRow[];
  readonly hasMore: boolean;
}

/** Up to so many matches a filter leads and its matches are sorted; above, the order leads and rows are tested. */
const LEADING_MATCHES = 5_000;

/** Reads pages of records. */
@Injectable()
export class ListReader {
  constructor(
    private readonly reads: Reads,
    private readonly statements: ListStatements,
    private readonly counts: RecordCounts,
    private readonly dialect: Dialect,
  ) {}

  /** The count and the rows are of two moments: a total is never less than what the page itself shows. */
  async page(scope: ListScope, query: BrowseQuery, shape: RowShape): Promise<RowPage> {
    const lead = await this.leadingFilter(scope, query.filters);
    const plan = new ListPlan(scope, query, { lead, shape, orderedJoin: this.dialect.orderedJoin });
    const counted = query.isCounted ? await this.total(scope, query, plan) : null;
    const { rows, hasMore } = await this.found(scope, query, plan, counted);
    const { page, offset } = startOf(query);
    const next = hasMore ? nextOf(rows, page) : null;
    const isShort = counted === null || rows.length === 0;
    const total = isShort ? counted : Math.max(counted, offset + rows.length + (hasMore ? 1 : 0));
    return { rows, page, total, next };
  }

  /** The count may be older than the rows: where it speaks of the last page, one row more than asked for decides. */
  private async found(scope: ListScope, query: BrowseQuery, plan: ListPlan, total: number | null): Promise<Found> {
    const { cursor, perPage } = query;
    const { offset } = startOf(query);
    const isPlaced = cursor === null && total !== null;
    if (isPlaced) {
      if (offset >= total) return { rows: [], hasMore: false };
      if (offset > total / 2) return this.fromEnd(scope, query, plan, total);
    }
    const isLongWay = isPlaced && offset + perPage < total;
    const limit = isLongWay ? perPage : perPage + 1;
    const walk = cursor ? plan.walkBehind(cursor, limit) : plan.walk(offset + limit);
    const rows = await this.statements.rows<SortedRow>(scope, walk, plan.forwards(cursor, offset, limit));
    return { rows: rows.slice(0, perPage), hasMore: rows.length === limit };
  }

  private async fromEnd(scope: ListScope, query: BrowseQuery, plan: ListPlan, total: number): Promise<Found> {
    const { offset } = startOf(query);
    const statement = plan.backwards(total, offset, query.perPage);
    const rows = (await this.statements.rows<SortedRow>(scope, plan.walk(total - offset), statement)).toReversed();
    return { rows, hasMore: rows.length > 0 && offset + rows.length < total };
  }

  /** Maintained counters know a list without filters; anything else is counted. */
  private total(scope: ListScope, { filters }: BrowseQuery, plan: ListPlan): Promise<number> {
    const { type, statuses, isTrash } = scope;
    if (filters.length === 0 && !isTrash) return this.counts.total(type.id, statuses);
    return this.statements.count(scope, plan.walk(null), plan.counting());
  }

  /** The filter that matches least, where it matches few enough to lead. */
  private async leadingFilter(scope: ListScope, filters: readonly Filter[]): Promise<LeadingFilter | null> {
    const able = filters.filter(picksByIndex);
    if (able.length === 0) return null;
    const [best] = (await this.matchesOf(scope, able)).toSorted((a, b) => a.matches - b.matches);
    return best && best.matches <= LEADING_MATCHES ? best : null;
  }

  /** Counts no further than it matters. */
  private async matchesOf(scope: ListScope, filters: readonly Filter[]): Promise<readonly LeadingFilter[]> {
    const walk = { rows: 0, passesHidden: false, tests: 0, passesSubtree: filters.some(goesBySubtree) };
    const counts = await this.statements.rows<Record<'place' | 'n', number | string>>(scope, walk, probe(filters));
    const matches = new Map(counts.map(({ place, n }) => [Number(place), Number(n)]));
    return filters.map((filter, place) => ({ filter, matches: matches.get(place) ?? 0 }));
  }
}

/** Counts the matches of each filter, as far as it matters. */
function probe(filters: readonly Filter[]): Sql {
  const counts = filters.map((filter, place) => {
    const { text, values } = indexRows(filter);
    const rows = `SELECT 1 FROM record_fields f WHERE ${text} LIMIT ${LEADING_MATCHES + 1}`;
    return { text: `SELECT ${place} AS place, COUNT(*) AS n FROM (${rows}) probe`, values };
  });
  return joined(counts, ' UNION ALL ');
}

/** The page of a list, and how many rows are passed over to it: none from a cursor, which stands behind them. */
function startOf({ cursor, page, perPage }: BrowseQuery): { readonly page: number; readonly offset: number } {
  return cursor ? { page: cursor.page, offset: 0 } : { page, offset: (page - 1) * perPage };
}

/** The first rows of a page, and where those behind them are. */
export function firstOf<Row>({ rows, page, total }: RowPage<Row>, count: number): RowPage<Row> {
  const shown = rows.slice(0, count);
  return { rows: shown, page, total, next: nextOf(shown, page) };
}

function nextOf(rows: readonly unknown[], page: number): Cursor {
  // All rows of lists are read with the values that they are sorted by.
  const last = rows.at(-1) as SortedRow;
  const after: CursorValue[] = [];
  for (let n = 0; `o${n}` in last; n += 1) after.push(last[`o${n}`] ?? null);
  return { page: page + 1, after };
}
