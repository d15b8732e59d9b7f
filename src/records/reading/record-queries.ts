import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import type { Fault } from '../../common/errors/domain-error.js';
import { lastPage, writeCursor, type ListEnvelope, type ListMeta } from '../../common/envelope.js';
import { Answer, versionTag } from '../../common/http/answer.js';
import { asSent, readQuery } from '../../common/http/url-query.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { browseQuery, SELECTION, selectionOf, type BrowseQuery, type Selection } from './browse-query.js';
import type { ListScope } from './list-plan.js';
import { firstOf, ListReader, type RowPage } from './list-reader.js';
import { isSound, requireSound } from '../rows/record-cells.js';
import { requireScope, visibleStatuses } from '../rows/record-access.js';
import { RecordReader } from './record-reader.js';
import {
  isUnread,
  NARROW_ROWS,
  weightOf,
  WHOLE_ROWS,
  type ListedRow,
  type RecordRow,
  type RowShape,
} from '../rows/record-row.js';
import { publicFaults } from '../rows/whole-record.js';
import { isNarrow, RecordViews, type RecordView } from '../rows/record-views.js';
import { RecordTexts, type RecordText } from './record-texts.js';
import { RelationExpansion } from './relation-expansion.js';
import { TermAssignment } from '../../taxonomy/assignment/term-assignment.js';
import { slugKey, slugsOf } from '../../taxonomy/terms/term-slug.js';
import { TermsService } from '../../taxonomy/terms/terms.service.js';
import type { Filter } from './filters.js';

/** Matches no record: terms count from 1. */
const NO_TERM = 0;

/** Reads pages of lists, whose filters may name terms. */
@Injectable()
export class RecordLists {
  constructor(
    private readonly lists: ListReader,
    private readonly assignment: TermAssignment,
    private readonly terms: TermsService,
  ) {}

  async page(scope: ListScope, query: BrowseQuery, shape: RowShape): Promise<RowPage> {
    return this.lists.page(scope, await this.resolved(query), shape);
  }

  /** A query whose filters name terms by their ids. A term that does not exist matches nothing. */
  private async resolved(query: BrowseQuery): Promise<BrowseQuery> {
    const named = query.filters.filter(namesTerms);
    if (named.length === 0) return query;
    const texts = slugsOf(
      named.flatMap(({ property, values }) => values.map((value) => [property.name, String(value)] as const)),
    );
    const terms = await this.terms.findAll(texts);
    const idsOf = ({ property, values }: Filter): number[] =>
      values.flatMap((value) => terms.get(slugKey(property.name, String(value)))?.id ?? []);
    const subtrees = await this.assignment.subtrees(query.filters.filter(({ op }) => op === 'under').flatMap(idsOf));
    return {
      ...query,
      filters: query.filters.map((filter) => (namesTerms(filter) ? byIds(filter, idsOf(filter), subtrees) : filter)),
    };
  }
}

/** The filter by ids. One by all that stands under a term goes by the term where they are too many to list. */
function byIds(
  { property, op }: Filter,
  ids: readonly number[],
  subtrees: ReadonlyMap<number, readonly number[] | null>,
): Filter {
  if (op !== 'under') return { property, op: op === 'ne' || op === 'nin' ? 'nin' : 'in', values: orNone(ids) };
  const below = ids.map((id) => subtrees.get(id));
  if (below.includes(null)) return { property, op, values: ids };
  return { property, op: 'in', values: orNone(below.flatMap((some) => some ?? [])) };
}

function orNone(ids: readonly number[]): readonly number[] {
  return ids.length === 0 ? [NO_TERM] : ids;
}

function namesTerms({ property, op }: Filter): boolean {
  return property.kind === 'term' && op !== 'exists';
}

/** Characters of the records of one list, as `weightOf` counts them: those behind are on the next page. */
const MOST_WEIGHT = 4 * 1_048_576;

const READ_PARAMETERS = { ...SELECTION, locale: asSent };

/** The records that a list shows: those in use, or those in the trash. */
interface ListSource {
  readonly type: CompiledType;
  readonly caller: Caller;
  readonly isTrash: boolean;
}

/** Bytes: the JSON text of such an envelope. */
export type ListAnswer = Answer<ListEnvelope<RecordView> | Buffer>;

/** A record that was read. */
interface ReadEnvelope {
  readonly data: RecordView;
  /** Only of a draft that could not be published as it is. */
  readonly meta?: { readonly faults: readonly Fault[] };
}

/** Answers the reads of records: one of them, a page of them, or the trash. */
@Injectable()
export class RecordQueries {
  constructor(
    private readonly reader: RecordReader,
    private readonly lists: RecordLists,
    private readonly relations: RelationExpansion,
    private readonly views: RecordViews,
    private readonly texts: RecordTexts,
  ) {}

  async read(
    type: CompiledType,
    reference: string,
    query: URLSearchParams,
    caller: Caller,
  ): Promise<Answer<ReadEnvelope>> {
    const asked = readQuery(query, READ_PARAMETERS);
    const selection = selectionOf(type, asked);
    const row = await this.reader.require(type, reference, caller, asked);
    requireSound(row);
    const [data = {}] = await this.shown(type, [row], selection, caller);
    if (selection.fields !== null || selection.expand.length > 0) return Answer.hashed({ data });
    // A record that looks different by now has the same version, and so the same tag.
    const isConditional = await this.views.isAsWritten(type, row);
    return Answer.tagged(await withFaults(type, row, data), versionTag(row), { isConditional });
  }

  browse(type: CompiledType, search: URLSearchParams, caller: Caller): Promise<ListAnswer> {
    return this.page({ type, caller, isTrash: false }, search);
  }

  /** Deleted records, whatever their status was: for those who may read records, and see what is not published. */
  async trash(type: CompiledType, search: URLSearchParams, caller: Caller): Promise<ListAnswer> {
    requireScope(caller, 'records:read', type);
    requireScope(caller, 'drafts:read', type);
    return this.page({ type, caller, isTrash: true }, search);
  }

  private async page({ type, caller, isTrash }: ListSource, search: URLSearchParams): Promise<ListAnswer> {
    const query = browseQuery(type, search);
    const { selection } = query;
    const visible = visibleStatuses(caller, type);
    const scope = { type, statuses: query.statuses.filter((status) => visible.includes(status)), isTrash };
    if (scope.statuses.length === 0) return Answer.hashed({ data: [], meta: metaOf(query, nothing(query)) });
    if (!isTrash && selection.fields === null && selection.expand.length === 0) return this.wholePage(scope, query);

    const shape = !isTrash && canBeNarrow(selection) ? NARROW_ROWS : WHOLE_ROWS;
    const page = await this.sound(await this.lists.page(scope, query, shape), scope);
    const data = await this.shown(type, page.rows.filter(isRow), selection, caller);
    return Answer.hashed({ data, meta: metaOf(query, page) });
  }

  /**
   * A page of records as they are, put together from their texts. A page that was asked for before is read without
   * contents, and then those of the records whose texts are not known.
   */
  private async wholePage(scope: ListScope, query: BrowseQuery): Promise<ListAnswer> {
    const { type } = scope;
    const isRecent = this.texts.visit(keyOf(scope, query));
    const page = await this.lists.page(scope, query, isRecent ? NARROW_ROWS : WHOLE_ROWS);
    const known = await this.texts.find(type, page.rows);
    const unknown = page.rows.filter(({ id }) => !known.has(id));
    const ids = unknown.map(({ id }) => id);
    const rows = isRecent ? await this.reader.allListed(ids, scope) : new Map(unknown.map((row) => [row.id, row]));
    const shown = await this.sound(page, scope, ({ id }) => known.get(id) ?? rows.get(id));
    const made = await this.texts.make(type, shown.rows.filter(isRow));
    const texts = shown.rows.flatMap((row) => (isRow(row) ? (made.get(row.id) ?? []) : row));
    return Answer.hashed(joined(texts, metaOf(query, shown)));
  }

  private shown(
    type: CompiledType,
    rows: readonly RecordRow[],
    selection: Selection,
    caller: Caller,
  ): Promise<RecordView[]> {
    if (selection.expand.length > 0) return this.relations.expanded(type, rows, selection, caller);
    return this.views.all(type, rows, selection.fields);
  }

  /**
   * A page with the contents of its records, those of long ones read by themselves. It ends where an answer does.
   *
   * @param known puts a text, or the row with its contents, in the place of a row; `undefined`: it is not shown
   */
  private async sound(
    page: RowPage,
    scope: ListScope,
    known: (row: ListedRow) => ListedRow | RecordText | undefined = (row) => row,
  ): Promise<RowPage<RecordRow | RecordText>> {
    const rows: (RecordRow | RecordText)[] = [];
    let weight = 0;
    for (const [at, listed] of page.rows.entries()) {
      const shown = await this.soundOne(known(listed), scope);
      if (!shown) continue;
      weight += isRow(shown) ? weightOf(shown) : shown.weight;
      if (weight > MOST_WEIGHT && rows.length > 0) return { ...firstOf(page, at), rows };
      rows.push(shown);
    }
    return { ...page, rows };
  }

  private async soundOne(
    listed: ListedRow | RecordText | undefined,
    scope: ListScope,
  ): Promise<RecordRow | RecordText | null> {
    if (listed === undefined || !isRow(listed)) return listed ?? null;
    const row = isUnread(listed) ? await this.reader.listed(listed, scope) : listed;
    return row && isSound(row) ? row : null;
  }
}

function isRow<Row extends ListedRow>(item: Row | RecordText): item is Row {
  return 'id' in item;
}

function keyOf({ statuses }: ListScope, { fingerprint, page, perPage, cursor }: BrowseQuery): string {
  return JSON.stringify([fingerprint, statuses, perPage, page, cursor?.after]);
}

const START = Buffer.from('{"data":[');
const COMMA = Buffer.from(',');

function joined(texts: readonly RecordText[], meta: ListMeta): Buffer {
  const data = texts.flatMap(({ bytes }, at) => (at === 0 ? [bytes] : [COMMA, bytes]));
  return Buffer.concat([START, ...data, Buffer.from(`],"meta":${JSON.stringify(meta)}}`)]);
}

async function withFaults(type: CompiledType, row: RecordRow, data: RecordView): Promise<ReadEnvelope> {
  const faults = row.status === 'draft' ? await publicFaults(type, row) : [];
  return faults.length === 0 ? { data } : { data, meta: { faults } };
}

function nothing({ page, isCounted }: BrowseQuery): RowPage<never> {
  return { rows: [], page, total: isCounted ? 0 : null, next: null };
}

function canBeNarrow({ fields, expand }: Selection): boolean {
  return expand.length === 0 && isNarrow(fields);
}

function metaOf({ perPage, fingerprint }: BrowseQuery, { page, total, next }: RowPage<unknown>): ListMeta {
  return {
    ...(total === null ? {} : { total, last_page: lastPage(total, perPage) }),
    per_page: perPage,
    current_page: page,
    next_cursor: next === null ? null : writeCursor(next, fingerprint),
  };
}
