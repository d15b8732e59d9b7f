import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { turnIfLong } from '../../common/concurrency/own-turn.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { noteWritten } from '../../content-types/changes/type-watches.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { execute } from '../../database/statements/statement.js';
import { executeLater, insertLater } from '../../database/statements/statement-queue.js';
import { RecordCounts, type CountChange } from '../counting/record-counts.js';
import { deleteIndex, insertIndex, replaceIndex } from './record-index.js';
import { RecordListeners, type ComingWrite, type RecordChange, type RemovedRecord } from './record-listeners.js';
import { JSON_COLUMNS } from '../rows/record-cells.js';
import { storedTerms, termIdsOf, type RecordRow } from '../rows/record-row.js';
import { countedTerms, requireReadable } from './damaged-state.js';
import { insertedRow, restoreRow, rewriteRow } from './narrow-row.js';
import { isLong, stateOf, storedValues, type RecordState } from './record-state.js';
import type { Authorship } from './authorships.js';
import { addressLost, addressOf, isSlugTaken, orSlugTaken, requireOwnAddress } from './taken-addresses.js';

/** What a write of a record that exists does to it. */
export interface Rewrite extends Pick<RecordChange, 'action' | 'authorship' | 'ungated'> {
  readonly row: RecordRow;
  readonly state: RecordState;
  /** The `ts` of the revision that is brought back. */
  readonly rollbackOf?: number;
  readonly coming?: ComingWrite | undefined;
}

/** What a new record holds. */
export type NewState = Pick<Rewrite, 'state' | 'authorship' | 'coming'>;

/** The statements that write records, and all that has to be written together with them. They run inside a unit of work. */
@Injectable()
export class RecordStatements {
  constructor(
    private readonly counts: RecordCounts,
    private readonly listeners: RecordListeners,
    private readonly dialect: Dialect,
  ) {}

  /** Has what takes long done for a state that is long, before the unit of work that writes it. */
  async prepared(coming: ComingWrite): Promise<ComingWrite | undefined> {
    if (!isLong(coming.state)) return undefined;
    await turnIfLong();
    await this.listeners.prepare(coming);
    return coming;
  }

  /** @throws {DomainError} `slug_taken`; {ValidationError} a value of a unique field is taken */
  async insert(manager: EntityManager, type: CompiledType, { state, authorship, coming }: NewState): Promise<number> {
    const id = await this.insertRow(manager, type, state, authorship);
    const { body, data, terms } = contentsOf(state);
    const sql = 'INSERT INTO record_contents (record_id, body, data, terms) VALUES (?, ?, ?, ?)';
    await executeLater(manager, sql, [id, body, data, terms]);
    await insertIndex(manager, type, [{ id, state, createdAt: authorship.at }]);
    await this.counts.add(manager, [{ ...placeIn(type.id, state), d: 1 }]);
    await this.listeners.written(manager, [
      {
        type,
        id,
        action: 'create',
        before: null,
        after: state,
        version: 1,
        authorship,
        previous: null,
        createdAt: authorship.at,
        rollbackOf: null,
        coming,
      },
    ]);
    return id;
  }

  /**
   * Writes the next version of a record, if it is still at the version that `row` has.
   *
   * @returns whether it was
   * @throws {DomainError} `slug_taken`, `record_damaged`; {ValidationError} a value of a unique field is taken
   */
  async update(manager: EntityManager, type: CompiledType, rewrite: Rewrite): Promise<boolean> {
    const { row, state } = rewrite;
    requireReadable(state);
    const contents = contentsOf(state);
    const before = await placeOf(manager, row);
    // Only a slug and values in the index can be refused. Where they stay, no answer for the row alone is needed.
    const hasSameAddress = state.slug === row.slug && state.locale === row.locale;
    const canWait = hasSameAddress && hasSameIndex(row, contents);
    const affected = await orSlugTaken(type, state, async () => {
      const count = await rewriteRow(manager, rewrite);
      if (!hasSameAddress) await requireOwnAddress(manager, type, addressOf(rewrite), this.dialect.lockInShareMode);
      if (!canWait) await count();
      return count;
    });
    if (!canWait && (await affected()) === 0) return false;
    if (!hasSameAddress) await noteWritten(manager, type, [row.id]);
    await this.updateContents(manager, type, rewrite, contents);
    await this.counts.add(manager, [
      { ...before, d: -1 },
      { ...placeIn(row.type_id, state), d: 1 },
    ]);
    await this.noteRewrite(manager, type, rewrite, stateOf(row));
    return (await affected()) > 0;
  }

  /** Puts a record into the trash: invisible, its slug and its unique values free. Returns whether it was still at that version. */
  async trash(manager: EntityManager, row: RecordRow, { actor, at }: Authorship): Promise<boolean> {
    const { affected } = await execute(
      manager,
      `UPDATE records SET trashed_at = ?, slug = NULL, updated_by = ?, updated_at = ?, version = version + 1
        WHERE id = ? AND version = ? AND trashed_at = 0`,
      [at, actor, at, row.id, row.version],
    );
    if (affected === 0) return false;
    const before = await placeOf(manager, row);
    await executeLater(manager, 'UPDATE record_contents SET trashed_slug = ? WHERE record_id = ?', [row.slug, row.id]);
    await deleteIndex(manager, this.dialect, row.id);
    await this.counts.add(manager, [{ ...before, d: -1 }]);
    await this.listeners.trashed(manager, [gone(row)]);
    return true;
  }

  /**
   * Takes a record out of the trash, under a slug that is free, its damaged columns as they are. Returns whether it was
   * still there at that version.
   *
   * @throws {DomainError} `slug_taken`, and nothing is written; {LostRaceError} the address was taken meanwhile
   */
  async restore(manager: EntityManager, type: CompiledType, rewrite: Rewrite): Promise<boolean> {
    const { row, state } = rewrite;
    await requireOwnAddress(manager, type, addressOf(rewrite), '');
    const { affected } = await orSlugTaken(type, state, () => restoreRow(manager, rewrite));
    if (affected === 0) return false;
    await requireOwnAddress(manager, type, addressOf(rewrite), this.dialect.lockInShareMode).catch(addressLost);
    const sound = JSON_COLUMNS.filter((column) => !state.damaged?.includes(column));
    const contents = contentsOf(state);
    await executeLater(
      manager,
      `UPDATE record_contents SET trashed_slug = NULL${sound.map((column) => `, ${column} = ?`).join('')} WHERE record_id = ?`,
      [...sound.map((column) => contents[column]), row.id],
    );
    await insertIndex(manager, type, [{ id: row.id, state, createdAt: row.created_at }]);
    await this.counts.add(manager, [{ ...placeIn(row.type_id, state), d: 1 }]);
    await this.noteRewrite(manager, type, rewrite, null);
    return true;
  }

  /** Removes a record for good. Returns whether it was still at that version. */
  async remove(manager: EntityManager, row: RecordRow): Promise<boolean> {
    const { affected } = await execute(manager, 'DELETE FROM records WHERE id = ? AND version = ?', [
      row.id,
      row.version,
    ]);
    if (affected === 0) return false;
    const before = await placeOf(manager, row);
    await executeLater(manager, 'DELETE FROM record_contents WHERE record_id = ?', [row.id]);
    await deleteIndex(manager, this.dialect, row.id);
    if (row.trashed_at === 0) await this.counts.add(manager, [{ ...before, d: -1 }]);
    await this.listeners.removed(manager, [gone(row)]);
    return true;
  }

  /** The narrow row, which says whether the slug is free. Where it is not, there is no row. */
  private insertRow(
    manager: EntityManager,
    type: CompiledType,
    state: RecordState,
    authorship: Authorship,
  ): Promise<number> {
    return orSlugTaken(type, state, async () => {
      const id = await insertLater(manager, ...insertedRow(type, state, authorship));
      try {
        await requireOwnAddress(manager, type, state, this.dialect.lockInShareMode);
      } catch (error) {
        if (isSlugTaken(error)) await execute(manager, 'DELETE FROM records WHERE id = ?', [await id()]);
        throw error;
      }
      return id();
    });
  }

  private async updateContents(
    manager: EntityManager,
    type: CompiledType,
    { row, state }: Rewrite,
    contents: Contents,
  ): Promise<void> {
    const isIndexSame = hasSameIndex(row, contents);
    if (isIndexSame && contents.body === row.body) return;
    const { body, data, terms } = contents;
    const sql = 'UPDATE record_contents SET body = ?, data = ?, terms = ? WHERE record_id = ?';
    await executeLater(manager, sql, [body, data, terms, row.id]);
    if (isIndexSame) return;
    const indexed = { id: row.id, state, createdAt: row.created_at };
    await replaceIndex(manager, this.dialect, type, indexed, stateOf(row));
  }

  private async noteRewrite(
    manager: EntityManager,
    type: CompiledType,
    {
      row,
      state,
      authorship,
      action,
      rollbackOf = null,
      ungated,
      coming,
    }: { rollbackOf?: number | null } & Omit<Rewrite, 'rollbackOf'>,
    before: RecordState | null,
  ): Promise<void> {
    const { id, version, created_at: createdAt } = row;
    const previous = { actor: row.updated_by, at: row.updated_at };
    await this.listeners.written(manager, [
      {
        type,
        id,
        action,
        before,
        after: state,
        version: version + 1,
        authorship,
        previous,
        createdAt,
        rollbackOf,
        ungated,
        coming,
      },
    ]);
  }
}

/** The wide row, as the database keeps it. */
type Contents = Pick<RecordRow, 'body' | 'data' | 'terms'>;

function contentsOf({ body, values, terms }: RecordState): Contents {
  return { body, data: storedValues(values), terms: storedTerms(terms) };
}

/** Whether the side index says the same of both. */
function hasSameIndex(row: Contents, contents: Contents): boolean {
  return contents.data === row.data && contents.terms === row.terms;
}

/** Where a record is counted. */
type Counted = Omit<CountChange, 'd'>;

async function placeOf(manager: EntityManager, row: RecordRow): Promise<Counted> {
  const terms = await countedTerms(manager, row);
  return { typeId: row.type_id, status: row.status, terms };
}

function placeIn(typeId: number, { status, terms }: RecordState): Counted {
  return { typeId, status, terms: termIdsOf(terms) };
}

function gone({ id, type_id: typeId, status, trashed_at: trashedAt }: RecordRow): RemovedRecord {
  return { id, typeId, status, wasTrashed: trashedAt > 0 };
}
