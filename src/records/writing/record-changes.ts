import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { turnIfLong } from '../../common/concurrency/own-turn.js';
import { ValidationError } from '../../common/errors/domain-error.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import type { Once } from '../../idempotency/once.js';
import type { Action, ComingWrite, Ungated } from './record-listeners.js';
import type { RecordRow } from '../rows/record-row.js';
import { isWhole } from '../rows/whole-record.js';
import { takenFields } from './record-index.js';
import { createdRow, isSame, rewrittenRow, type RecordState } from './record-state.js';
import { RecordStatements } from './record-statements.js';
import { LostRaceError, RecordWriter } from './record-writer.js';
import { wantedSlug, withFreeSlug } from './slugs.js';
import type { Authorship } from './authorships.js';

/** The content of a write, with its author. */
export interface Draft {
  readonly state: RecordState;
  readonly authorship: Authorship;
  /** Completes the state by what can only be known while writing: terms that are made by being assigned. */
  readonly complete?: (manager: EntityManager, state: RecordState) => Promise<RecordState>;
  /** The key of the request that asks for the write: taken first in its unit of work, though nothing changes. */
  readonly once?: Once | undefined;
}

/** What is to become of a record, as it was just read. */
export interface Decision extends Draft {
  readonly row: RecordRow;
  /** Where it is not what the change of the status says. */
  readonly action?: Action;
  /** The `ts` of the revision that is brought back. */
  readonly rollbackOf?: number;
  readonly ungated?: Ungated;
  /** What is done in the same unit of work, after the record is written; if nothing changes, by itself. */
  readonly within?: (manager: EntityManager) => Promise<void>;
}

/** What has become of a record, and the decision that was written: the last one, where a race was lost. */
export interface Decided<What extends Decision> {
  /** The record as it is now. */
  readonly row: RecordRow;
  readonly decision: What;
}

/** With what listeners have prepared for it. */
type Prepared<What> = What & { readonly coming: ComingWrite | undefined };

/** A new record, with the slug that it is to have unless it may give way to one that has it already. */
type NewDraft = Prepared<Draft & { readonly mayGiveWay: boolean }>;

/** Says what to write, on the type as it is by now; is called again after a lost race. */
type Decide<What> = (current: CompiledType) => Promise<What>;

export interface Removal {
  /** For good, and not into the trash. */
  readonly isPermanent: boolean;
}

/** The ways in which records are written, for requests and for other features. */
@Injectable()
export class RecordChanges {
  constructor(
    private readonly writer: RecordWriter,
    private readonly statements: RecordStatements,
  ) {}

  /** A slug that is given has to be free; without one it is made from the title and gives way. */
  create(type: CompiledType, decide: Decide<Draft>): Promise<RecordRow> {
    return this.writer.write(type, async (current) => {
      const draft = withWantedSlug(current, await decide(current));
      const coming = await this.statements.prepared({ type: current, id: null, state: draft.state });
      await turnIfLong();
      return this.writer.unit(current, (manager) => this.insert(manager, current, { ...draft, coming }));
    });
  }

  /** Changes a record; a change that changes nothing writes nothing. */
  change<What extends Decision>(type: CompiledType, id: number, decide: Decide<What>): Promise<Decided<What>> {
    return this.writer.writeTo(id, type, async (current) => {
      const decision = await decide(current);
      if (isIdle(decision)) return { row: decision.row, decision };
      await turnIfLong();
      const coming = await this.statements.prepared({ type: current, id, state: decision.state });
      await turnIfLong();
      const row = await this.writer.unit(current, (manager) => this.update(manager, current, { ...decision, coming }));
      return { row, decision };
    });
  }

  /** Puts a record into the trash, or removes it for good. */
  async remove(
    type: CompiledType,
    id: number,
    decide: Decide<Pick<Decision, 'row' | 'authorship'>>,
    { isPermanent }: Removal,
  ): Promise<void> {
    await this.writer.writeTo(id, type, async (current) => {
      const { row, authorship } = await decide(current);
      await this.writer.unit(current, async (manager) => {
        const isDone = isPermanent
          ? await this.statements.remove(manager, row)
          : await this.statements.trash(manager, row, authorship);
        if (!isDone) throw new LostRaceError();
      });
    });
  }

  /**
   * Takes a record out of the trash; one that is not in it stays as it is. A slug that was taken meanwhile gets a number,
   * a unique value that was taken is left out, and what lacks a required one is no longer published.
   */
  restore<What extends Decision>(type: CompiledType, id: number, decide: Decide<What>): Promise<Decided<What>> {
    return this.writer.writeTo(id, type, async (current) => {
      const decision = await decide(current);
      if (decision.row.trashed_at === 0) return { row: decision.row, decision };
      await turnIfLong();
      const coming = await this.statements.prepared({ type: current, id, state: decision.state });
      await turnIfLong();
      const row = await this.writer.unit(current, (manager) => this.takeOut(manager, current, { ...decision, coming }));
      return { row, decision };
    });
  }

  private async insert(manager: EntityManager, type: CompiledType, draft: NewDraft): Promise<RecordRow> {
    const { authorship, coming, mayGiveWay, once } = draft;
    await once?.begin(manager);
    const state = await completed(manager, draft);
    const write = async (candidate: RecordState) =>
      createdRow(
        type,
        await this.statements.insert(manager, type, { state: candidate, authorship, coming }),
        candidate,
        authorship,
      );
    const row = await (mayGiveWay ? withFreeSlug(manager, type, state, write) : write(state));
    await once?.made(manager, row.id);
    return row;
  }

  /** @returns the record as it is now, out of the trash */
  private async takeOut(manager: EntityManager, type: CompiledType, decision: Prepared<Decision>): Promise<RecordRow> {
    const kept = asWhole(type, await withoutTaken(manager, type, await completed(manager, decision)));
    return withFreeSlug(manager, type, kept, async (state) => {
      const rewrite = { ...decision, state, action: 'restore' } as const;
      if (!(await this.statements.restore(manager, type, rewrite).catch(valueLost))) throw new LostRaceError();
      return rewrittenRow(decision.row, state, decision.authorship);
    });
  }

  /** @returns the record as it is now: where there is nothing to write, as it was */
  private async update(manager: EntityManager, type: CompiledType, decision: Prepared<Decision>): Promise<RecordRow> {
    const { row, once } = decision;
    await once?.begin(manager, row.id);
    const state = await completed(manager, decision);
    const isUnchanged = isSame(row, state);
    if (!isUnchanged) await this.rewrite(manager, type, { ...decision, state });
    await decision.within?.(manager);
    return isUnchanged ? row : rewrittenRow(row, state, decision.authorship);
  }

  private async rewrite(manager: EntityManager, type: CompiledType, decision: Prepared<Decision>): Promise<void> {
    const { row, state, action = actionOf(row, state) } = decision;
    if (!(await this.statements.update(manager, type, { ...decision, action }))) throw new LostRaceError();
  }
}

function isIdle({ row, state, complete, within, once }: Decision): boolean {
  return complete === undefined && within === undefined && once === undefined && isSame(row, state);
}

function withWantedSlug({ name }: CompiledType, draft: Draft): Omit<NewDraft, 'coming'> {
  const { state } = draft;
  if (state.slug !== '') return { ...draft, mayGiveWay: false };
  return { ...draft, state: { ...state, slug: wantedSlug(state.title, name) }, mayGiveWay: true };
}

async function completed(manager: EntityManager, { state, complete }: Draft): Promise<RecordState> {
  return complete ? complete(manager, state) : state;
}

async function withoutTaken(manager: EntityManager, type: CompiledType, state: RecordState): Promise<RecordState> {
  const taken = new Set((await takenFields(manager, type, state.values)).map(({ id }) => id));
  if (taken.size === 0) return state;
  return { ...state, values: Object.fromEntries(Object.entries(state.values).filter(([id]) => !taken.has(id))) };
}

/** What lacks by now what is required of public records comes back as a draft. */
function asWhole(type: CompiledType, state: RecordState): RecordState {
  const isFit = state.status !== 'published' || state.damaged !== undefined || isWhole(type, state.values);
  return isFit ? state : { ...state, status: 'draft', publishedAt: null };
}

/** A value was taken after the look at it: the next try comes without it. */
function valueLost(error: unknown): never {
  throw error instanceof ValidationError ? new LostRaceError() : error;
}

function actionOf(before: Pick<RecordState, 'status'>, after: Pick<RecordState, 'status'>): Action {
  if (before.status === after.status) return 'update';
  if (after.status === 'published') return 'publish';
  return before.status === 'published' ? 'unpublish' : 'update';
}
