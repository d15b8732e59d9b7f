import { Injectable } from '@nestjs/common';
import { isAllowed, SERVICE, type Caller } from '../common/access/caller.js';
import type { CompiledType, RecordBody } from '../content-types/definition/content-type.js';
import type { Once } from '../idempotency/once.js';
import { precondition, requireVersion, sentFields } from './writing/precondition.js';
import { requirePublisher, requireScope, requireUpdate } from './rows/record-access.js';
import { isIdle, RecordChanges, type Change, type Removal } from './writing/record-changes.js';
import { RecordReader } from './reading/record-reader.js';
import { valuesOf, type RecordRow } from './rows/record-row.js';
import { fieldValues, requireWhole } from './rows/whole-record.js';
import { initialState, isSame, mergedState, requireSize, stateOf, withDefaults } from './writing/record-state.js';
import type { TermPlan, WantedTerms } from './writing/record-terms.js';
import { RecordWriter, type GivesWay, type Plan } from './writing/record-writer.js';
import { RelationTargets } from './writing/relation-targets.js';
import { Actors } from './rows/actors.js';
import { wantedSlug } from './writing/slugs.js';

/** The record that a caller wants to write. */
export interface Target {
  /** An id, or `slug:<slug>`. */
  readonly reference: string;
  /** The locale, if several have the slug; `null`: the one that is read without saying. */
  readonly locale?: string | null;
  readonly caller: Caller;
  /** The header `If-Match`: versions that the caller insists on. */
  readonly ifMatch?: string | undefined;
  /** The key of the request, where it has one. */
  readonly once?: Once | undefined;
}

/** The right that a change needs: to change the record, or to publish it. */
type ChangeRight = 'update' | 'publish';

/** A server-side change, such as a rollback. */
export interface Rewriting extends Pick<Change, 'action' | 'rollbackOf' | 'copyVersion' | 'givesWay'> {
  /** A body that fits the type: what is in it is set, the rest stays. */
  readonly input: RecordBody;
}

/** The record as it is now, and what was decided about it: last, where a race was lost. */
export interface Rewritten<How extends Rewriting> {
  readonly row: RecordRow;
  readonly rewriting: How;
}

/** A record out of the trash. */
export interface Restored {
  readonly row: RecordRow;
  /** Names of fields that it came back without: another record has their value by now. */
  readonly lost: readonly string[];
  /** True if it was published and is a draft now: it lacks what is required of public records. */
  readonly isWithdrawn: boolean;
}

/** A change of a record: its plan, and the record as it stays where there is nothing to change. */
type Changed<Result> = Change & Plan<Result>;

/** Creates, changes, deletes and restores records. */
@Injectable()
export class RecordsService {
  constructor(
    private readonly reader: RecordReader,
    private readonly writer: RecordWriter,
    private readonly changes: RecordChanges,
    private readonly relations: RelationTargets,
    private readonly actors: Actors,
  ) {}

  /**
   * @throws {ValidationError} the body does not fit the type
   * @throws {DomainError} `slug_taken`: the slug was sent and is not free; `insufficient_scope`: may not publish;
   *   `payload_too_large`
   */
  create(type: CompiledType, body: unknown, caller: Caller, once?: Once): Promise<RecordRow> {
    return this.writer.write(
      type,
      async (current, lost) => {
        await current.prepare(body, 'create');
        const input = current.requireCreate(body);
        const authorship = await this.actors.authorship(caller);
        const sent = initialState(current, input, authorship.at);
        requireSize(current, sent);
        requirePublisher(caller, current, sent.status);
        await this.relations.requireTargets(current, input, caller);
        const isSlugFree = sent.slug === '';
        const state = isSlugFree ? { ...sent, slug: wantedSlug(sent.title, current.name) } : sent;
        const givesWay: GivesWay = isSlugFree ? 'slug' : 'nothing';
        const terms = wantedTerms(input, caller);
        const creation = { state, authorship, terms, givesWay, once };
        // The slug of now is not the one that will be written.
        return lost > 0 ? creation : this.changes.prepared(current, null, creation);
      },
      (attempt) => this.changes.create(attempt),
    );
  }

  /**
   * A record that the caller has created before. Reading it takes no right while it is as it was created.
   *
   * @throws {DomainError} `record_not_found`
   */
  async created(type: CompiledType, id: number, caller: Caller): Promise<RecordRow> {
    const row = await this.reader.require(type, String(id), SERVICE);
    return row.version === 1 ? row : this.reader.require(type, String(id), caller);
  }

  /**
   * Changes the fields that were sent and leaves the others; a change that changes nothing writes nothing.
   *
   * @throws {DomainError} `record_not_found`, `version_conflict`, `slug_taken`, `insufficient_scope`, `record_damaged`,
   *   `payload_too_large`
   */
  async update(type: CompiledType, body: unknown, target: Target): Promise<RecordRow> {
    const id = await this.reader.idOf(type, target);
    return this.writer.writeTo(
      id,
      type,
      async (current): Promise<Changed<RecordRow>> => {
        const row = await this.reader.require(current, String(id), target.caller);
        await current.prepare(body, 'update');
        const input = current.requireUpdate(body, { status: row.status, values: () => fieldValues(current, row) });
        await this.requireMay('update', current, row, target, input);
        const change = await this.changeOf(current, row, input, target.caller);
        return isIdle(change) ? { ...change, unchanged: row } : this.changes.prepared(current, id, change);
      },
      (attempt) => this.changes.change(attempt),
    );
  }

  /**
   * Changes a record by what is decided about it as it stands, under the rules of {@link update}.
   *
   * @param decide is called again after a lost race
   * @param right `publish`: it takes the right to publish, and not that to change the record
   */
  async rewrite<How extends Rewriting>(
    type: CompiledType,
    target: Target,
    decide: (current: CompiledType, row: RecordRow) => Promise<How>,
    right: ChangeRight = 'update',
  ): Promise<Rewritten<How>> {
    const id = await this.reader.idOf(type, target);
    return this.writer.writeTo(
      id,
      type,
      async (current): Promise<Changed<Rewritten<How>> & { readonly rewriting: How }> => {
        const row = await this.reader.require(current, String(id), target.caller);
        await this.requireMay(right, current, row, target, {});
        const rewriting = await decide(current, row);
        const { action, rollbackOf, copyVersion, givesWay = 'nothing' } = rewriting;
        const decided = await this.changeOf(current, row, rewriting.input, target.caller);
        const change = { ...decided, action, rollbackOf, copyVersion, givesWay, once: target.once, rewriting };
        return isIdle(change)
          ? { ...change, unchanged: { row, rewriting } }
          : this.changes.prepared(current, id, change);
      },
      async (attempt) => ({ row: await this.changes.change(attempt), rewriting: attempt.plan.rewriting }),
    );
  }

  /** Puts a record into the trash, or removes it for good, out of the trash too. */
  async remove(type: CompiledType, target: Target, { isPermanent }: { readonly isPermanent: boolean }): Promise<void> {
    const id = await this.reader.idOf(type, target, isPermanent);
    await this.writer.writeTo(
      id,
      type,
      async (current): Promise<Removal> => {
        const row = await this.reader.require(current, String(id), target.caller, { evenTrashed: isPermanent });
        requireVersion(precondition(target.ifMatch), row, () => ({}));
        return { row, authorship: await this.actors.authorshipAfter(row, target.caller) };
      },
      (attempt) => (isPermanent ? this.changes.remove(attempt) : this.changes.trash(attempt)),
    );
  }

  /**
   * Takes a record out of the trash; one that is not in it stays as it is. A slug that was taken meanwhile gets a number,
   * a unique value that was taken is left out, and what lacks a required one is no longer published.
   */
  async restore(type: CompiledType, target: Target): Promise<Restored> {
    const id = await this.reader.idOf(type, target, true);
    return this.writer.writeTo(
      id,
      type,
      (current) => this.restoration(current, id, target),
      async (attempt) => restored(attempt.type, attempt.plan.row, await this.changes.restore(attempt)),
    );
  }

  private async restoration(type: CompiledType, id: number, { caller, ifMatch }: Target): Promise<Changed<Restored>> {
    const row = await this.reader.require(type, String(id), caller, { evenTrashed: true });
    requireVersion(precondition(ifMatch), row, () => ({}));
    if (row.trashed_at > 0) requirePublisher(caller, type, row.status);
    const authorship = await this.actors.authorshipAfter(row, caller);
    const state = withDefaults(type, stateOf(row));
    const change = { row, state, authorship, terms: 'kept', givesWay: 'all' } as const;
    return row.trashed_at > 0
      ? this.changes.prepared(type, id, change)
      : { ...change, unchanged: restored(type, row, row) };
  }

  /** The change that a body makes of a record. */
  private async changeOf(type: CompiledType, row: RecordRow, input: RecordBody, caller: Caller): Promise<Change> {
    const authorship = await this.actors.authorshipAfter(row, caller);
    const state = mergedState(type, row, input, authorship.at);
    requireSize(type, state, stateOf(row));
    const terms = wantedTerms(input, caller);
    if (terms !== undefined || !isSame(row, state)) requirePublisher(caller, type, row.status, state.status);
    if (state.status === 'published' && row.status !== 'published') await requireWhole(type, row, input);
    await this.relations.requireTargets(type, input, caller, stateOf(row).values);
    return { row, state, authorship, terms };
  }

  /**
   * @throws {DomainError} `insufficient_scope`; `version_conflict`, with what the fields of the body hold by now for those
   *   who may read it
   */
  private async requireMay(
    right: ChangeRight,
    type: CompiledType,
    row: RecordRow,
    { caller, ifMatch }: Target,
    input: RecordBody,
  ): Promise<void> {
    if (right === 'publish') requireScope(caller, 'records:publish', type);
    else requireUpdate(caller, type, row.created_by === (await this.actors.idOf(caller)));
    if (ifMatch === undefined) return;
    const isReader = isAllowed(caller, 'records:read', type.name);
    requireVersion(precondition(ifMatch), row, () => (isReader ? sentFields(type, row, input) : null));
  }
}

/** The terms that a body assigns, which the type has checked; `undefined`: it says nothing of them. */
function wantedTerms({ terms }: RecordBody, caller: Caller): TermPlan | undefined {
  return terms === undefined ? undefined : { wanted: terms as WantedTerms | null, caller };
}

/** @param before the record in the trash */
function restored(type: CompiledType, before: RecordRow, row: RecordRow): Restored {
  return { row, lost: lostFields(type, before, row), isWithdrawn: row.status !== before.status };
}

function lostFields({ fields }: CompiledType, before: RecordRow, after: RecordRow): string[] {
  const [had, has] = [valuesOf(before), valuesOf(after)];
  return fields.filter(({ id }) => (had[id] ?? null) !== null && (has[id] ?? null) === null).map(({ name }) => name);
}
