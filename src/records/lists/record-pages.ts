import { Injectable } from '@nestjs/common';
import { isAllowed, type Caller } from '../../common/access/caller.js';
import { lastPage, type ListEnvelope, type ListMeta } from '../../common/envelope.js';
import { Answer } from '../../common/http/answer.js';
import { requireKnown } from '../../common/http/url-query.js';
import type { CompiledType } from '../../content-types/content-type.js';
import { ContentTypes } from '../../content-types/content-types.service.js';
import { browseQuery, selectionOf, SEVERAL, type BrowseQuery, type Selection } from './browse-query.js';
import { writeCursor } from '../../common/cursor.js';
import { ListReader, type RowPage } from './list-reader.js';
import { requireScope, visibleStatuses } from '../record-access.js';
import { RecordReader } from '../record-reader.js';
import type { RecordRow } from '../record-row.js';
import { RecordTerms } from '../terms/record-terms.js';
import { receiptOf } from '../receipt.js';
import { isNarrow, type RecordView } from '../record-view.js';
import { Relations } from '../writing/relations.js';

const READ_PARAMETERS = new Set(['fields', 'expand', 'locale']);

/** What readers of records ask for: one of them, a page of them, or the trash. */
@Injectable()
export class RecordPages {
  constructor(
    private readonly reader: RecordReader,
    private readonly lists: ListReader,
    private readonly relations: Relations,
    private readonly terms: RecordTerms,
    private readonly types: ContentTypes,
  ) {}

  async read(
    type: CompiledType,
    reference: string,
    query: URLSearchParams,
    caller: Caller,
  ): Promise<Answer<{ data: RecordView }>> {
    requireKnown(query, (name) => READ_PARAMETERS.has(name), SEVERAL);
    const selection = selectionOf(type, query);
    const row = await this.reader.require(type, reference, caller, query.get('locale'));
    const [data = {}] = await this.relations.expanded(type, [row], selection, caller);
    if (selection.fields !== null || selection.expand.length > 0) return Answer.hashed({ data });
    // A record that was written before its type or a term changed looks different now, though its version is the same.
    const isUnchanged = row.updated_at >= type.updated_at && row.updated_at > (await this.terms.changedAt(type));
    return Answer.tagged({ data }, versionTag(row), { isConditional: isUnchanged });
  }

  async browse(type: CompiledType, search: URLSearchParams, caller: Caller): Promise<Answer<ListEnvelope<RecordView>>> {
    return this.page(type, search, caller, false);
  }

  /** Deleted records, whatever their status was: for those who may see what is not published. */
  async trash(type: CompiledType, search: URLSearchParams, caller: Caller): Promise<Answer<ListEnvelope<RecordView>>> {
    requireScope(caller, 'drafts:read', type);
    return this.page(type, search, caller, true);
  }

  /** The answer to a create: all of it comes from the caller. The type may have changed before the write. */
  async created(before: CompiledType, row: RecordRow, caller: Caller): Promise<{ data: RecordView }> {
    const type = (await this.types.byId(before.id)) ?? before;
    const [data = {}] = await this.relations.expanded(type, [row], { fields: null, expand: [] }, caller);
    return { data };
  }

  /**
   * The answer to a write of a record that was there: the record as it is now, as far as the caller may read it.
   *
   * @param sent the body of the write
   */
  async written(
    before: CompiledType,
    row: RecordRow,
    caller: Caller,
    sent: Readonly<Record<string, unknown>> = {},
  ): Promise<{ data: RecordView }> {
    const { data } = await this.created(before, row, caller);
    return { data: isAllowed(caller, 'records:read', before.name) ? data : receiptOf(data, sent) };
  }

  private async page(
    type: CompiledType,
    search: URLSearchParams,
    caller: Caller,
    isTrash: boolean,
  ): Promise<Answer<ListEnvelope<RecordView>>> {
    const query = await this.terms.resolved(browseQuery(type, search));
    const visible = visibleStatuses(caller, type);
    const statuses = query.statuses.filter((status) => visible.includes(status));
    const page =
      statuses.length === 0
        ? nothing(query)
        : await this.lists.page({ type, statuses, isTrash }, query, !isTrash && canBeNarrow(query.selection));
    const data = await this.relations.expanded(type, page.rows, query.selection, caller);
    return Answer.hashed({ data, meta: metaOf(query, page) });
  }
}

export function versionTag({ version }: RecordRow): string {
  return `"${version}"`;
}

function nothing({ page, isCounted }: BrowseQuery): RowPage {
  return { rows: [], page, total: isCounted ? 0 : null, next: null };
}

function canBeNarrow({ fields, expand }: Selection): boolean {
  return expand.length === 0 && isNarrow(fields);
}

function metaOf({ perPage, fingerprint }: BrowseQuery, { page, total, next }: RowPage): ListMeta {
  return {
    ...(total === null ? {} : { total, last_page: lastPage(total, perPage) }),
    per_page: perPage,
    current_page: page,
    next_cursor: next === null ? null : writeCursor(next, fingerprint),
  };
}
