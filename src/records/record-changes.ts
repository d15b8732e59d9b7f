import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CompiledType } from '../content-types/content-type.js';
import type { Action } from './record-listeners.js';
import { RecordReader } from './record-reader.js';
import type { RecordRow } from './record-row.js';
import { isSame, type RecordState } from './record-state.js';
import { RecordStatements } from './record-statements.js';
import { LostRace, RecordWriter } from './record-writer.js';
import { wantedSlug, withFreeSlug } from './slugs.js';
import type { Stamp } from './stamps.js';

/** What is to be written. */
export interface Draft {
  readonly state: RecordState;
  readonly stamp: Stamp;
  /** Completes the state by what can only be known while writing: terms that are made by being assigned. */
  readonly complete?: (manager: EntityManager, state: RecordState) => Promise<RecordState>;
}

/** What is to become of a record, as it was just read. */
export interface Decision extends Draft {
  readonly row: RecordRow;
  /** Where it is not what the change of the status says. */
  readonly action?: Action;
  /** The `ts` of the revision that is brought back. */
  readonly rollbackOf?: number;
}

/** Says what to write, on the type as it is by now; is called again after a lost race. */
type Decide<What> = (current: CompiledType) => Promise<What>;

/** The ways in which records are written, whoever asks for it. */
@Injectable()
export class RecordChanges {
  constructor(
    private readonly reader: RecordReader,
    private readonly writer: RecordWriter,
    private readonly statements: RecordStatements,
  ) {}

  /** A slug that is given has to be free; without one it is made from the title and gives way. */
  create(type: CompiledType, decide: Decide<Draft>): Promise<RecordRow> {
    return this.writer.write(type, async (current) => {
      const draft = await decide(current);
      const id = await this.writer.unit(current, (manager) => this.insert(manager, current, draft));
      return this.reader.requireById(current, id);
    });
  }

  /** Changes a record; a change that changes nothing writes nothing. Returns the record as it is now. */
  change(type: CompiledType, id: number, decide: Decide<Decision>): Promise<RecordRow> {
    return this.writer.writeTo(id, type, async (current) => {
      const decision = await decide(current);
      if (!decision.complete && isSame(decision.row, decision.state)) return decision.row;
      const isWritten = await this.writer.unit(current, (manager) => this.update(manager, current, decision));
      return isWritten ? this.reader.requireById(current, id) : decision.row;
    });
  }

  /** Puts a record into the trash, or removes it for good. */
  async remove(
    type: CompiledType,
    id: number,
    isPermanent: boolean,
    decide: Decide<Pick<Decision, 'row' | 'stamp'>>,
  ): Promise<void> {
    await this.writer.writeTo(id, type, async (current) => {
      const { row, stamp } = await decide(current);
      await this.writer.unit(current, async (manager) => {
        const isDone = isPermanent
          ? await this.statements.remove(manager, row)
          : await this.statements.trash(manager, row, stamp);
        if (!isDone) throw new LostRace();
      });
    });
  }

  /** Takes a record out of the trash; one that is not in it stays as it is. A slug that was taken meanwhile gets a number. */
  restore(type: CompiledType, id: number, decide: Decide<Decision>): Promise<RecordRow> {
    return this.writer.writeTo(id, type, async (current) => {
      const decision = await decide(current);
      if (decision.row.trashed_at === 0) return decision.row;
      await this.writer.unit(current, async (manager) => {
        const whole = await completed(manager, decision);
        const isDone = await withFreeSlug(manager, current.id, whole, (state) =>
          this.statements.restore(manager, current, { ...decision, state, action: 'restore' }),
        );
        if (!isDone) throw new LostRace();
      });
      return this.reader.requireById(current, id);
    });
  }

  private async insert(manager: EntityManager, type: CompiledType, draft: Draft): Promise<number> {
    const state = await completed(manager, draft);
    const write = (candidate: RecordState) => this.statements.insert(manager, type, candidate, draft.stamp);
    if (state.slug !== '') return write(state);
    return withFreeSlug(manager, type.id, { ...state, slug: wantedSlug(state.title, type.name) }, write);
  }

  /** @returns whether there was anything to write */
  private async update(manager: EntityManager, type: CompiledType, decision: Decision): Promise<boolean> {
    const { row } = decision;
    const state = await completed(manager, decision);
    if (isSame(row, state)) return false;
    const action = decision.action ?? actionOf(row, state);
    if (!(await this.statements.update(manager, type, { ...decision, state, action }))) throw new LostRace();
    return true;
  }
}

async function completed(manager: EntityManager, { state, complete }: Draft): Promise<RecordState> {
  return complete ? complete(manager, state) : state;
}

function actionOf(before: Pick<RecordState, 'status'>, after: Pick<RecordState, 'status'>): Action {
  if (before.status === after.status) return 'update';
  if (after.status === 'published') return 'publish';
  return before.status === 'published' ? 'unpublish' : 'update';
}
