import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import type { Fault } from '../../common/errors/domain-error.js';
import { lastPage, type ListMeta, writeCursor } from '../../common/envelope.js';
import { Answer } from '../../common/http/answer.js';
import type { LongAnswer } from '../../common/http/sending/long-answer.js';
import { asSent, readQuery } from '../../common/http/url-query.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { browseQuery, SELECTION, selectionOf, type BrowseQuery, type Selection } from './browse-query.js';
import { RecentPages } from './record-text-cache.js';
import { ListReader, type RowPage } from './list-reader.js';
import type { ListScope } from './list-plan.js';
import { isSound, requireSound } from '../rows/record-cells.js';
import { requireScope, visibleStatuses } from '../rows/record-access.js';
import { RecordReader } from './record-reader.js';
import { areLong, MARKS, NARROW_ROWS, WHOLE_ROWS, type RecordRow, versionTag } from '../rows/record-row.js';
import { publicFaults } from '../rows/whole-record.js';
import { isNarrow, type RecordView } from '../rows/record-views.js';
import { RecordAnswers, type ListAnswer } from './record-answers.js';
import { TermAssignment } from '../../taxonomy/assignment/term-assignment.js';
import { slugKey } from '../../taxonomy/terms/term-slug.js';
import { TermsService } from '../../taxonomy/terms/terms.service.js';
import type { Filter } from './filters.js';
import { TaxonomiesService } from '../../taxonomy/taxonomies/taxonomies.service.js';
import { Actors } from '../rows/actors.js';

/**
 * Detects records whose view has changed without a write: by their type, one of their terms or the name of an author. A
 * change of these has a time that is later than every write before it.
 */
@Injectable()
export class ViewChanges {
  constructor(
    private readonly taxonomies: TaxonomiesService,
    private readonly actors: Actors,
  ) {}

  /** Whether a version of a record always looked as it looks now. Its authors were loaded to show it. */
  async isAsWritten(type: CompiledType, row: RecordRow): Promise<boolean> {
    const { updated_at: at, created_by: creator, updated_by: writer } = row;
    const renamedAt = Math.max(this.actors.renamedAt(creator), this.actors.renamedAt(writer));
    return at >= renamedAt && at >= type.updated_at && at > (await this.taxonomies.termsChangedAt(type.taxonomies));
  }
}

/** Matches no record: terms count from 1. */
const NO_TERM = 0;

/** Finds the terms that lists are filtered by. */
@Injectable()
export class TermFilters {
  constructor(
    private readonly assignment: TermAssignment,
    private readonly terms: TermsService,
  ) {}

  /** A query whose filters name terms by their ids. A term that does not exist matches nothing. */
  async resolved(query: BrowseQuery): Promise<BrowseQuery> {
    const texts = new Map<string, Set<string>>();
    for (const { property, values } of query.filters.filter(namesTerms)) {
      texts.set(property.name, new Set([...(texts.get(property.name) ?? []), ...values.map(String)]));
    }
    if (texts.size === 0) return query;
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

const READ_PARAMETERS = { ...SELECTION, locale: asSent };

/** The records that a list shows: those in use, or those in the trash. */
interface ListSource {
  readonly type: CompiledType;
  readonly caller: Caller;
  readonly isTrash: boolean;
}

/** A record that was read. */
interface ReadEnvelope {
  readonly data: RecordView;
  /** Only of a draft that could not be published as it is. */
  readonly meta?: { readonly faults: readonly Fault[] };
}

/** What readers of records ask for: one of them, a page of them, or the trash. */
@Injectable()
export class RecordQueries {
  private readonly pages = new RecentPages();

  constructor(
    private readonly reader: RecordReader,
    private readonly lists: ListReader,
    private readonly answers: RecordAnswers,
    private readonly terms: TermFilters,
    private readonly changes: ViewChanges,
  ) {}

  async read(
    type: CompiledType,
    reference: string,
    query: URLSearchParams,
    caller: Caller,
  ): Promise<Answer<ReadEnvelope> | LongAnswer> {
    const asked = readQuery(query, READ_PARAMETERS);
    const selection = selectionOf(type, asked);
    const row = await this.reader.require(type, reference, caller, asked.locale);
    requireSound(row);
    if (selection.expand.length > 0) return this.answers.expanded(row, { type, selection, caller });
    const data = await this.answers.view(row, { type, selection, caller });
    const isLong = areLong([row]);
    if (selection.fields !== null) return Answer.hashed({ data }, { isLong });
    // A record that looks different by now has the same version, and so the same tag.
    const isConditional = await this.changes.isAsWritten(type, row);
    return Answer.tagged(await withFaults(type, row, data), versionTag(row), { isConditional, isLong });
  }

  async browse(type: CompiledType, search: URLSearchParams, caller: Caller): Promise<ListAnswer> {
    return this.page({ type, caller, isTrash: false }, search);
  }

  /** Deleted records, whatever their status was: for those who may read records, and see what is not published. */
  async trash(type: CompiledType, search: URLSearchParams, caller: Caller): Promise<ListAnswer> {
    requireScope(caller, 'records:read', type);
    requireScope(caller, 'drafts:read', type);
    return this.page({ type, caller, isTrash: true }, search);
  }

  private async page({ type, caller, isTrash }: ListSource, search: URLSearchParams): Promise<ListAnswer> {
    const query = await this.terms.resolved(browseQuery(type, search));
    const visible = visibleStatuses(caller, type);
    const statuses = query.statuses.filter((status) => visible.includes(status));
    const showing = { type, statuses, isTrash, selection: query.selection, caller };
    if (statuses.length === 0) return this.answers.list([], metaOf(query, nothing(query)), showing);

    const known = isTrash || !isPlain(query.selection) ? null : await this.known(showing, query);
    if (known) return known;
    const shape = !isTrash && canBeNarrow(query.selection) ? NARROW_ROWS : WHOLE_ROWS;
    const page = await this.lists.page(showing, query, shape);
    return this.answers.list(page.rows.filter(isSound), metaOf(query, page), showing);
  }

  /** A page that was asked for before, from the texts of its records. `null`: it has to be read as a whole. */
  private async known(scope: ListScope, query: BrowseQuery): Promise<ListAnswer | null> {
    const key = keyOf(scope, query);
    if (!this.pages.visit(key)) return null;
    const page = await this.lists.page(scope, query, MARKS);
    const answer = await this.answers.fromTexts(page.rows, metaOf(query, page), scope);
    if (answer === 'long') this.pages.exclude(key);
    return typeof answer === 'string' ? null : answer;
  }
}

async function withFaults(type: CompiledType, row: RecordRow, data: RecordView): Promise<ReadEnvelope> {
  const faults = row.status === 'draft' ? await publicFaults(type, row) : [];
  return faults.length === 0 ? { data } : { data, meta: { faults } };
}

function keyOf({ statuses }: ListScope, { fingerprint, page, perPage, cursor }: BrowseQuery): string {
  return JSON.stringify([fingerprint, statuses, perPage, page, cursor?.after]);
}

function isPlain({ fields, expand }: Selection): boolean {
  return fields === null && expand.length === 0;
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
