import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { executeLater } from '../../database/statements/statement-queue.js';
import { execute } from '../../database/statements/statement.js';
import type { Once } from '../../idempotency/once.js';
import { RecordCounts, type CountChange } from '../counting/record-counts.js';
import { termIdsOf, type RecordRow, type TermIds } from '../rows/record-row.js';
import { soundCell } from '../rows/record-cells.js';
import { isWhole } from '../rows/whole-record.js';
import type { Authorship } from '../rows/actors.js';
import { deleteIndex, insertIndex, replaceIndex, takenFields } from './record-index.js';
import { RecordListeners, type Action, type PendingWrite, type RemovedRecord } from './record-listeners.js';
import { insertRecord, restoreRecord, rewriteRecord } from './record-rows.js';
import { isSame, stateOf, unitsOf, writtenRow, type RecordState } from './record-state.js';
import { RecordTerms, type TermPlan } from './record-terms.js';
import { LostRaceError, type Attempt, type GivesWay } from './record-writer.js';
import { freeSlug } from './slugs.js';

/** From so many characters on, what is made of a state takes long. */
const LONG = 32_768;

/** A row before its first version, but for its id, its type and its author. */
const UNWRITTEN = { version: 0, published_at: null, first_published_at: null };

/** A new record. */
export interface Creation {
  readonly state: RecordState;
  readonly authorship: Authorship;
  /** Absent: those of the state. */
  readonly terms?: TermPlan | undefined;
  readonly pending?: PendingWrite | undefined;
  readonly givesWay?: GivesWay;
  /** The key of the request that asks for the write: taken first in its unit of work, though nothing changes. */
  readonly once?: Once | undefined;
}

/** A new state of a record that exists, as it was just read. */
export interface Change extends Creation {
  readonly row: RecordRow;
  /** The action, if it is not what the change of the status says. */
  readonly action?: Action | undefined;
  /** The `ts` of the revision that is brought back. */
  readonly rollbackOf?: number | undefined;
  /** The version of the working copy that is folded in, and gone with that, be it without a change of the record. */
  readonly copyVersion?: number | undefined;
}

/** A change of which all is known. */
type Rewrite = Pick<Change, 'row' | 'state' | 'authorship' | 'pending' | 'rollbackOf'> & {
  readonly action: Action;
};

/** A record that is to leave the lists, and what of its plan a {@link RecordWriter} asks for: there is always something to do. */
export interface Removal extends Pick<Change, 'row' | 'authorship'> {
  readonly unchanged?: undefined;
}

/** True if a change has nothing to do. */
export function isIdle({ row, state, terms, copyVersion, once }: Change): boolean {
  return terms === undefined && copyVersion === undefined && once === undefined && isSame(row, state);
}

/** Writes a record that is created, changed, removed or restored, inside the unit of work of a {@link RecordWriter}. */
@Injectable()
export class RecordChanges {
  constructor(
    private readonly counts: RecordCounts,
    private readonly listeners: RecordListeners,
    private readonly terms: RecordTerms,
    private readonly dialect: Dialect,
  ) {}

  /** Has what takes long done for a state that is long, before the unit of work that writes it. @param id `null`: it is new */
  async prepared<Plan extends Creation>(type: CompiledType, id: number | null, plan: Plan): Promise<Plan> {
    const { state } = plan;
    if (unitsOf(state) < LONG) return plan;
    const pending = { type, id, state };
    await this.listeners.prepare(pending);
    return { ...plan, pending };
  }

  /** @throws {DomainError} `slug_taken`; {ValidationError} a value of a unique field is taken */
  async create({ manager, type, plan, lost }: Attempt<Creation>): Promise<RecordRow> {
    const { authorship, pending, once } = plan;
    const { actor, at } = authorship;
    await once?.begin(manager);
    let state = plan.terms === undefined ? plan.state : await this.withTerms(manager, type, plan);
    if (lost > 0 && plan.givesWay === 'slug') state = { ...state, slug: await freeSlug(manager, type, state, lost) };
    const id = await insertRecord(manager, type, state, authorship, this.dialect);
    const before = { ...UNWRITTEN, id, type_id: type.id, created_by: actor, created_at: at };
    const row = writtenRow(before, state, authorship);
    const sql = 'INSERT INTO record_contents (record_id, body, data, terms) VALUES (?, ?, ?, ?)';
    await executeLater(manager, sql, [id, row.body, row.data, row.terms]);
    await insertIndex(manager, type, [{ id, state, createdAt: at }]);
    await this.counts.add(manager, [{ typeId: type.id, status: state.status, terms: termIdsOf(state.terms), d: 1 }]);
    await this.listeners.written(manager, [
      {
        ...{ type, id, action: 'create', before: null, after: state, version: 1 },
        ...{ authorship, previous: null, createdAt: at, rollbackOf: null, pending },
      },
    ]);
    await once?.made(manager, id);
    return row;
  }

  /**
   * Writes the next version of a record, if the change has one.
   *
   * @returns the record as it is now: the very row of the change if there was nothing to write
   * @throws {LostRaceError} it is at another version by now
   * @throws {DomainError} `slug_taken`; {ValidationError} a value of a unique field is taken
   */
  async change({ manager, type, plan }: Omit<Attempt<Change>, 'lost'>): Promise<RecordRow> {
    const { row, copyVersion, once } = plan;
    await once?.begin(manager, row.id);
    const state = plan.terms === undefined ? plan.state : await this.withTerms(manager, type, plan);
    let current = row;
    if (!isSame(row, state)) {
      const next = writtenRow(row, state, plan.authorship);
      const affected = await rewriteRecord(manager, type, { row, next }, this.dialect);
      const rewrite = { ...plan, state, action: plan.action ?? actionOf(row, state) };
      await this.writeContents(manager, type, rewrite, next);
      await this.noteRewrite(manager, type, rewrite, stateOf(row));
      if ((await affected()) === 0) throw new LostRaceError();
      current = next;
    }
    if (copyVersion !== undefined) await this.listeners.folded(manager, row.id, copyVersion);
    return current;
  }

  /** Takes a record out of the trash. @returns the record as it is now */
  async restore({ manager, type, plan, lost }: Attempt<Change>): Promise<RecordRow> {
    const { row, authorship } = plan;
    const kept = asWhole(type, await withoutTaken(manager, type, await this.withTerms(manager, type, plan)));
    const state = { ...kept, slug: await freeSlug(manager, type, kept, lost) };
    const next = writtenRow(row, state, authorship);
    await restoreRecord(manager, type, { row, next }, this.dialect);
    const sql = 'UPDATE record_contents SET trashed_slug = NULL, data = ?, terms = ? WHERE record_id = ?';
    await executeLater(manager, sql, [next.data, next.terms, row.id]);
    await insertIndex(manager, type, [{ id: row.id, state, createdAt: row.created_at }]);
    await this.counts.add(manager, [{ ...countedAs(next), d: 1 }]);
    await this.noteRewrite(manager, type, { ...plan, state, action: 'restore' }, null);
    return next;
  }

  /** Puts a record into the trash: invisible, its slug and its unique values free. */
  async trash({ manager, plan }: Attempt<Removal>): Promise<void> {
    const { row, authorship } = plan;
    const { affected } = await execute(
      manager,
      `UPDATE records SET trashed_at = ?, slug = NULL, updated_by = ?, updated_at = ?, version = version + 1
        WHERE id = ? AND version = ? AND trashed_at = 0`,
      [authorship.at, authorship.actor, authorship.at, row.id, row.version],
    );
    if (affected === 0) throw new LostRaceError();
    const before = countedAs(row);
    await executeLater(manager, 'UPDATE record_contents SET trashed_slug = ? WHERE record_id = ?', [row.slug, row.id]);
    await deleteIndex(manager, this.dialect, row.id);
    await this.counts.add(manager, [{ ...before, d: -1 }]);
    await this.listeners.trashed(manager, [gone(row)]);
  }

  /** Removes a record for good. */
  async remove({ manager, plan: { row } }: Attempt<Removal>): Promise<void> {
    const sql = 'DELETE FROM records WHERE id = ? AND version = ?';
    if ((await execute(manager, sql, [row.id, row.version])).affected === 0) throw new LostRaceError();
    const before = countedAs(row);
    await executeLater(manager, 'DELETE FROM record_contents WHERE record_id = ?', [row.id]);
    await deleteIndex(manager, this.dialect, row.id);
    if (row.trashed_at === 0) await this.counts.add(manager, [{ ...before, d: -1 }]);
    await this.listeners.removed(manager, [gone(row)]);
  }

  /** The contents, the index and the counters, as far as they change. */
  private async writeContents(
    manager: EntityManager,
    type: CompiledType,
    { row, state }: Pick<Rewrite, 'row' | 'state'>,
    next: RecordRow,
  ): Promise<void> {
    const { body, data, terms } = next;
    const isIndexSame = data === row.data && terms === row.terms;
    if (!isIndexSame || body !== row.body) {
      const sql = 'UPDATE record_contents SET body = ?, data = ?, terms = ? WHERE record_id = ?';
      await executeLater(manager, sql, [body, data, terms, row.id]);
    }
    if (!isIndexSame) {
      const indexed = { id: row.id, state, createdAt: row.created_at };
      await replaceIndex(manager, this.dialect, type, indexed, stateOf(row));
    }
    if (next.status === row.status && terms === row.terms) return;
    await this.counts.add(manager, [
      { ...countedAs(row), d: -1 },
      { ...countedAs(next), d: 1 },
    ]);
  }

  private noteRewrite(
    manager: EntityManager,
    type: CompiledType,
    { row, state, authorship, action, rollbackOf, pending }: Rewrite,
    before: RecordState | null,
  ): Promise<void> {
    const { id, version, created_at: createdAt } = row;
    const previous = { actor: row.updated_by, at: row.updated_at };
    const change = { type, id, action, before, after: state, version: version + 1 };
    return this.listeners.written(manager, [
      { ...change, authorship, previous, createdAt, rollbackOf: rollbackOf ?? null, pending },
    ]);
  }

  private async withTerms(
    manager: EntityManager,
    type: CompiledType,
    { state, terms = 'kept' }: Pick<Creation, 'state' | 'terms'>,
  ): Promise<RecordState> {
    return { ...state, terms: await this.terms.resolve(manager, type, state.terms, terms) };
  }
}

async function withoutTaken(manager: EntityManager, type: CompiledType, state: RecordState): Promise<RecordState> {
  const taken = new Set((await takenFields(manager, type, state.values)).map(({ id }) => id));
  if (taken.size === 0) return state;
  return { ...state, values: Object.fromEntries(Object.entries(state.values).filter(([id]) => !taken.has(id))) };
}

/** The state as a draft, if it lacks by now what is required of public records. */
function asWhole(type: CompiledType, state: RecordState): RecordState {
  const isFit = state.status !== 'published' || isWhole(type, state.values);
  return isFit ? state : { ...state, status: 'draft', publishedAt: null };
}

function actionOf(before: Pick<RecordState, 'status'>, after: Pick<RecordState, 'status'>): Action {
  if (before.status === after.status) return 'update';
  if (after.status === 'published') return 'publish';
  return before.status === 'published' ? 'unpublish' : 'update';
}

/** The counters of a record. */
type Counted = Omit<CountChange, 'd'>;

/** A damaged record can be removed: counts of terms that it does not name any more are mended by `doctor --repair`. */
function countedAs({ type_id: typeId, status, terms }: RecordRow): Counted {
  return { typeId, status, terms: termIdsOf((soundCell('terms', terms) ?? {}) as TermIds) };
}

function gone({ id, type_id: typeId, status, trashed_at: trashedAt }: RecordRow): RemovedRecord {
  return { id, typeId, status, wasTrashed: trashedAt > 0 };
}
