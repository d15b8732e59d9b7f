import { idOf } from '../common/text/names.js';
import { Injectable } from '@nestjs/common';
import { isAllowed, type Caller } from '../common/access/caller.js';
import { insufficientScope } from '../common/access/insufficient-scope.js';
import { pageMeta, type ListEnvelope } from '../common/envelope.js';
import { ENTRIES, flag, invalidQuery, PAGE, readQuery, several } from '../common/http/url-query.js';
import type { CompiledType, Status } from '../content-types/definition/content-type.js';
import { ContentTypesService } from '../content-types/store/content-types.service.js';
import { RecordReader } from '../records/reading/record-reader.js';
import { Actors } from '../records/rows/actors.js';
import { ROWS_WITHOUT_BODY, type RecordRow } from '../records/rows/record-row.js';
import { CopyAnswers, type DraftView } from './copies/copy-answers.js';
import { CopyStore } from './copies/copy-store.js';
import type { DraftedRecord, WorkingCopy } from './copies/working-copy.js';

const MAX_IDS = 100;
const PARAMETERS = { type: ENTRIES, ids: several(idsOf), mine: flag, ...PAGE };

/** A working copy as the list of them shows it. */
export interface ListedDraft extends Omit<DraftView, 'conflicts' | 'faults' | 'new_terms'> {
  /** The title is the one that it would have. */
  readonly record: {
    readonly id: number;
    readonly type: string;
    readonly title: string;
    readonly slug: string;
    readonly status: Status;
  };
  /** The number of all. */
  readonly conflicts: number;
  readonly faults: number;
}

/** Lists the working copies of all types, those that were saved last first. */
@Injectable()
export class DraftListService {
  constructor(
    private readonly types: ContentTypesService,
    private readonly store: CopyStore,
    private readonly reader: RecordReader,
    private readonly actors: Actors,
    private readonly answers: CopyAnswers,
  ) {}

  /** @throws {DomainError} `invalid_query`, `type_not_found`, `insufficient_scope` */
  async page(query: URLSearchParams, caller: Caller): Promise<ListEnvelope<ListedDraft>> {
    const { type: names, ids: recordIds, mine, page, per_page: perPage } = readQuery(query, PARAMETERS);
    const types = await this.shownTypes(names, caller);
    const { ids, total } = await this.store.page({
      typeIds: types.map(({ id }) => id),
      recordIds,
      author: mine ? await this.actors.idOf(caller) : null,
      ...{ offset: (page - 1) * perPage, limit: perPage },
    });
    const views = await this.views(new Map(types.map((type) => [type.id, type])), ids, caller);
    return { data: ids.flatMap((id) => views.get(id) ?? []), meta: pageMeta(total, { page, perPage }) };
  }

  /** Without asked types all those whose drafts the caller may read; asked ones have to be readable. */
  private async shownTypes(names: readonly string[] | null, caller: Caller): Promise<readonly CompiledType[]> {
    const readable = (await this.types.all()).filter(({ name }) => canRead(caller, name));
    if (names === null && (readable.length > 0 || canRead(caller))) return readable;
    const asked: CompiledType[] = [];
    for (const name of new Set(names)) asked.push(await this.types.require(name));
    if (asked.length > 0 && asked.every(({ name }) => canRead(caller, name))) return asked;
    throw insufficientScope('This needs the scopes drafts:read and records:read.', ['drafts:read', 'records:read']);
  }

  /** The copies that can be read, by the ids of their records: short ones together, long ones by themselves. */
  private async views(
    types: ReadonlyMap<number, CompiledType>,
    ids: readonly number[],
    caller: Caller,
  ): Promise<ReadonlyMap<number, ListedDraft>> {
    const views = new Map<number, ListedDraft>();
    for await (const copies of this.store.portions(ids)) {
      for await (const rows of this.records(copies)) {
        const found = rows.flatMap((row) => draftedRecord(types, row, copies));
        for (const { type, shown, draft } of await this.answers.drafted(found, caller)) {
          views.set(shown.id, viewOf(type, shown, draft));
        }
      }
    }
    return views;
  }

  /** The records of some working copies, with their bodies where these are to change. */
  private async *records(copies: ReadonlyMap<number, WorkingCopy>): AsyncGenerator<RecordRow[]> {
    const [changing, others]: [number[], number[]] = [[], []];
    for (const [id, { overlay }] of copies) (Object.hasOwn(overlay.changes, 'body') ? changing : others).push(id);
    yield* this.reader.portions(changing);
    yield* this.reader.portions(others, ROWS_WITHOUT_BODY);
  }
}

/** None: the record, or its type, is gone by now. */
function draftedRecord(
  types: ReadonlyMap<number, CompiledType>,
  row: RecordRow,
  copies: ReadonlyMap<number, WorkingCopy>,
): DraftedRecord[] {
  const [type, copy] = [types.get(row.type_id), copies.get(row.id)];
  return type && copy ? [{ type, row, copy }] : [];
}

function canRead(caller: Caller, type?: string): boolean {
  return isAllowed(caller, 'drafts:read', type) && isAllowed(caller, 'records:read', type);
}

function idsOf(texts: readonly string[] | null): readonly number[] | null {
  if (texts === null) return null;
  const ids = [...new Set(texts)].map(idOf);
  if (ids.length > MAX_IDS) throw invalidQuery('ids', 'max', `Name at most ${MAX_IDS} ids.`);
  if (ids.includes(null)) throw invalidQuery('ids', 'integer', 'ids must be ids of records: ids=7,12.');
  return ids.filter((id) => id !== null);
}

function viewOf(
  type: CompiledType,
  { id, title, slug, status }: RecordRow,
  { conflicts, faults, new_terms: _, ...draft }: DraftView,
): ListedDraft {
  return {
    record: { id, type: type.name, title, slug: slug ?? '', status },
    ...draft,
    conflicts: conflicts.length,
    faults: faults.length,
  };
}
