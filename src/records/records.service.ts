import { Injectable } from '@nestjs/common';
import { isAllowed, SERVICE, type Caller } from '../common/access/caller.js';
import { turnIfLong } from '../common/concurrency/own-turn.js';
import type { CompiledType, RecordBody } from '../content-types/definition/content-type.js';
import type { Once } from '../idempotency/once.js';
import { precondition, requireVersion, sentFields } from './writing/precondition.js';
import { requirePublicChange, requireScope, requireTransition, requireUpdate } from './rows/record-access.js';
import { RecordChanges, type Decision, type Removal } from './writing/record-changes.js';
import { RecordReader } from './reading/record-reader.js';
import { valuesOf, type RecordRow } from './rows/record-row.js';
import { fieldValues, requireWhole } from './rows/whole-record.js';
import { initialState, isSame, mergedState, requireSize, stateOf, withoutDamage } from './writing/record-state.js';
import { RecordTerms } from './terms/record-terms.js';
import { RelationTargets } from './writing/relation-targets.js';
import { Authorships } from './writing/authorships.js';

/** Which record a caller wants to write. */
export interface Target {
  /** An id, or `slug:<slug>`. */
  readonly reference: string;
  /** Which one, where several locales have the slug; `null`: the one that is read without saying. */
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
export interface Rewriting extends Pick<Decision, 'action' | 'rollbackOf' | 'within'> {
  /** A body that fits the type: what is in it is set, the rest stays. */
  readonly input: RecordBody;
  /** Whether the rest stays only as far as it can be read. */
  readonly replacesDamaged: boolean;
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
  /** Whether it was published and is a draft now: it lacks what is required of public records. */
  readonly isWithdrawn: boolean;
}

/** Creates, changes, deletes and restores records. */
@Injectable()
export class RecordsService {
  constructor(
    private readonly reader: RecordReader,
    private readonly changes: RecordChanges,
    private readonly relations: RelationTargets,
    private readonly terms: RecordTerms,
    private readonly authorships: Authorships,
  ) {}

  /**
   * @throws {ValidationError} the body does not fit the type
   * @throws {DomainError} `slug_taken`: the slug was sent and is not free; `insufficient_scope`: may not publish;
   *   `payload_too_large`
   */
  create(type: CompiledType, body: unknown, caller: Caller, once?: Once): Promise<RecordRow> {
    return this.changes.create(type, async (current) => {
      await current.prepare(body, 'create');
      await turnIfLong();
      const input = current.requireCreate(body);
      await turnIfLong();
      const authorship = await this.authorships.of(caller);
      const state = initialState(current, input, authorship.at);
      requireSize(current, state);
      requireTransition(caller, current, 'draft', state.status);
      await this.relations.requireTargets(current, input, caller);
      await turnIfLong();
      return { state, authorship, once, ...this.terms.completion(current, input, caller) };
    });
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
    const { row } = await this.changes.change(type, id, async (current) => {
      const row = await this.reader.require(current, String(id), target.caller);
      await current.prepare(body, 'update');
      await turnIfLong();
      const input = current.requireUpdate(body, { status: row.status, values: () => fieldValues(current, row) });
      await turnIfLong();
      await this.requireRight(current, row, target.caller, 'update');
      this.requireWanted(current, row, target, input);
      return this.decision(current, row, input, target.caller);
    });
    return row;
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
    const { row, decision } = await this.changes.change(type, id, async (current) => {
      const row = await this.reader.require(current, String(id), target.caller);
      await this.requireRight(current, row, target.caller, right);
      this.requireWanted(current, row, target, {});
      const rewriting = await decide(current, row);
      const { state, ...decision } = await this.decision(current, row, rewriting.input, target.caller);
      const { action, rollbackOf, within, replacesDamaged } = rewriting;
      return {
        ...decision,
        action,
        rollbackOf,
        within,
        once: target.once,
        state: replacesDamaged ? withoutDamage(state) : state,
        rewriting,
      };
    });
    return { row, rewriting: decision.rewriting };
  }

  /** Puts a record into the trash, or removes it for good, out of the trash too. */
  async remove(type: CompiledType, target: Target, removal: Removal): Promise<void> {
    const find = removal.isPermanent ? 'requireEvenTrashed' : 'require';
    const id = await this.reader.idOf(type, target, find);
    const decide = async (current: CompiledType) => {
      const row = await this.reader[find](current, String(id), target.caller);
      requireVersion(precondition(target.ifMatch), row, () => ({}));
      return { row, authorship: await this.authorships.after(row, target.caller) };
    };
    await this.changes.remove(type, id, decide, removal);
  }

  /**
   * Takes a record out of the trash; one that is not in it stays as it is. A slug that was taken meanwhile gets a number,
   * a unique value that was taken is left out, and what lacks a required one is no longer published.
   */
  async restore(type: CompiledType, target: Target): Promise<Restored> {
    const id = await this.reader.idOf(type, target, 'requireEvenTrashed');
    const { row, decision } = await this.changes.restore(type, id, async (current) => {
      const row = await this.reader.requireEvenTrashed(current, String(id), target.caller);
      requireVersion(precondition(target.ifMatch), row, () => ({}));
      if (row.trashed_at > 0) requireTransition(target.caller, current, 'draft', row.status);
      const authorship = await this.authorships.after(row, target.caller);
      return { row, state: stateOf(row), authorship, ...this.terms.restoration(current), type: current };
    });
    const isWithdrawn = row.status !== decision.row.status;
    return { row, lost: lostFields(decision.type, decision.row, row), isWithdrawn };
  }

  private async decision(type: CompiledType, row: RecordRow, input: RecordBody, caller: Caller): Promise<Decision> {
    const authorship = await this.authorships.after(row, caller);
    const state = mergedState(type, row, input, authorship.at);
    requireSize(type, state, stateOf(row));
    await turnIfLong();
    requireTransition(caller, type, row.status, state.status);
    if (state.status === 'published' && row.status !== 'published') await requireWhole(type, row, input);
    const completion = this.terms.completion(type, input, caller);
    if (completion.complete || !isSame(row, state)) requirePublicChange(caller, type, row.status);
    await turnIfLong();
    await this.relations.requireTargets(type, input, caller, stateOf(row).values);
    await turnIfLong();
    return { row, state, authorship, ...completion };
  }

  private async requireRight(type: CompiledType, row: RecordRow, caller: Caller, right: ChangeRight): Promise<void> {
    if (right === 'publish') requireScope(caller, 'records:publish', type);
    else requireUpdate(caller, type, await this.authorships.isBy(row.created_by, caller));
  }

  /** @throws {DomainError} `version_conflict`, with what the fields of the body hold by now for those who may read it */
  private requireWanted(type: CompiledType, row: RecordRow, { caller, ifMatch }: Target, input: RecordBody): void {
    const isReader = isAllowed(caller, 'records:read', type.name);
    requireVersion(precondition(ifMatch), row, () => (isReader ? sentFields(type, row, input) : null));
  }
}

function lostFields({ fields }: CompiledType, before: RecordRow, after: RecordRow): string[] {
  const [had, has] = [valuesOf(before), valuesOf(after)];
  return fields.filter(({ id }) => (had[id] ?? null) !== null && (has[id] ?? null) === null).map(({ name }) => name);
}
