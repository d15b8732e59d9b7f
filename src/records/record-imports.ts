import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { sortKey } from '../common/text/fold.js';
import type { CompiledType } from '../content-types/definition/content-type.js';
import { sharesAddresses } from '../content-types/definition/addresses.js';
import { Dialect } from '../database/dialect/dialect.js';
import { isUniqueViolation } from '../database/dialect/database-error.js';
import { execute, placeholders, select, type SqlValue } from '../database/statements/statement.js';
import { executeLater, insertRows } from '../database/statements/statement-queue.js';
import { RecordCounts } from './counting/record-counts.js';
import { laterThan } from './writing/authorships.js';
import { insertIndex } from './writing/record-index.js';
import { RecordListeners } from './writing/record-listeners.js';
import { ALL_COLUMNS, storedTerms, termIdsOf, WITH_CONTENTS, type RecordRow } from './rows/record-row.js';
import { isSame, type RecordState } from './writing/record-state.js';
import { RecordStatements } from './writing/record-statements.js';
import { LostRaceError } from './writing/record-writer.js';
import type { Authorship } from './writing/authorships.js';
import { keyOf, namesakes, withSlugs, type NewRecord } from './import-slugs.js';

/** How often records are numbered again within a unit, where other units take their slugs meanwhile. */
const MAX_TRIES = 10;

const COLUMNS =
  'type_id, locale, slug, title, title_key, status, version, created_by, updated_by, created_at, updated_at, published_at, trashed_at';

/** Writes many records of one type at once. Everything runs inside a unit of work that holds the type. */
@Injectable()
export class RecordImports {
  constructor(
    private readonly counts: RecordCounts,
    private readonly listeners: RecordListeners,
    private readonly statements: RecordStatements,
    private readonly dialect: Dialect,
  ) {}

  /**
   * Writes new records. A slug that is taken gets the next free number.
   *
   * @returns their ids and the slugs that they got, in the same order
   * @throws a refusal of the database, or {@link LostRaceError}, where another unit has just taken a slug: nothing may be
   *   kept then
   */
  async insert(
    manager: EntityManager,
    type: CompiledType,
    records: readonly NewRecord[],
    authorship: Authorship,
  ): Promise<{ id: number; slug: string }[]> {
    if (records.length === 0) return [];
    const slugged = await insertSlugged(manager, type, records, authorship);
    const ids = await this.ownIds(manager, type, slugged);
    const written = slugged.map((record) => ({ ...record, id: ids.get(keyOf(type, record.state)) ?? vanished() }));
    await insertContents(manager, written);
    await insertIndex(manager, type, written);
    await this.counts.add(
      manager,
      written.map(({ state: { status, terms } }) => ({
        typeId: type.id,
        status,
        terms: termIdsOf(terms),
        d: 1,
      })),
    );
    await this.listeners.written(
      manager,
      written.map(({ id, state, createdAt }) => ({
        ...{ type, id, action: 'import', before: null, after: state, version: 1 },
        ...{ authorship, previous: null, createdAt, rollbackOf: null, ungated: 'import' },
      })),
    );
    return written.map(({ id, state: { slug } }) => ({ id, slug }));
  }

  /** The ids that records got, where none has an address that another one has as well. */
  private async ownIds(manager: EntityManager, type: CompiledType, records: readonly NewRecord[]) {
    const found = await namesakes(manager, type, records, sharesAddresses(type) ? this.dialect.lockInShareMode : '');
    const ids = new Map(found.map((row) => [keyOf(type, row), Number(row.id)]));
    const own = new Set(records.map(({ state }) => keyOf(type, state)));
    if (found.filter((row) => own.has(keyOf(type, row))).length > records.length) throw new LostRaceError();
    return ids;
  }

  /** Gives a record another state. Returns whether there was anything to change. */
  async update(
    manager: EntityManager,
    type: CompiledType,
    { row, state, authorship }: { row: RecordRow; state: RecordState; authorship: Authorship },
  ): Promise<boolean> {
    if (isSame(row, state)) return false;
    const at = laterThan(row, authorship.at);
    const isWritten = await this.statements.update(manager, type, {
      row,
      state,
      authorship: { ...authorship, at },
      action: 'import',
      ungated: 'import',
    });
    if (!isWritten) throw new LostRaceError();
    return true;
  }

  /** Whole records as this unit of work sees them, by id. Those in the trash too. */
  async rows(manager: EntityManager, ids: readonly number[]): Promise<ReadonlyMap<number, RecordRow>> {
    if (ids.length === 0) return new Map();
    const rows = await select<RecordRow>(
      manager,
      `SELECT ${ALL_COLUMNS} FROM records r ${WITH_CONTENTS} WHERE r.id IN (${placeholders(ids)})`,
      ids,
    );
    return new Map(rows.map((row) => [row.id, row]));
  }
}

/** Where another unit takes a slug between looking and writing, only what collides gets another number. */
async function insertSlugged(
  manager: EntityManager,
  type: CompiledType,
  records: readonly NewRecord[],
  authorship: Authorship,
): Promise<NewRecord[]> {
  for (let tries = 1; ; tries += 1) {
    const slugged = await withSlugs(manager, type, records);
    await executeLater(manager, 'SAVEPOINT before_import');
    try {
      await insertNarrow(manager, type, slugged, authorship);
      return slugged;
    } catch (error) {
      if (!isUniqueViolation(error) || tries >= MAX_TRIES) throw error;
      await execute(manager, 'ROLLBACK TO SAVEPOINT before_import');
    }
  }
}

async function insertNarrow(
  manager: EntityManager,
  type: CompiledType,
  records: readonly NewRecord[],
  { actor, at }: Authorship,
): Promise<void> {
  const rows = records.map(({ createdAt, state }): SqlValue[] => [
    ...[type.id, state.locale, state.slug, state.title, sortKey(state.title), state.status, 1],
    ...[actor, actor, createdAt, at, state.publishedAt, 0],
  ]);
  await insertRows(manager, `INSERT INTO records (${COLUMNS})`, rows, { write: execute });
}

async function insertContents(manager: EntityManager, records: readonly (NewRecord & { id: number })[]): Promise<void> {
  const rows = records.map(({ id, state }): SqlValue[] => [
    ...[id, state.body, JSON.stringify(state.values), storedTerms(state.terms)],
  ]);
  await insertRows(manager, 'INSERT INTO record_contents (record_id, body, data, terms)', rows);
}

function vanished(): never {
  throw new Error('A record vanished while it was being imported.');
}
