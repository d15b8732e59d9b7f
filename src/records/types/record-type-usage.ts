import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isOfNoType } from '../../content-types/store/type-rows.js';
import {
  TypeUsageHost,
  type Batch,
  type Position,
  type RecordIndexRows,
  type StatusCount,
  type StoredValues,
  type TypeUsage,
} from '../../content-types/store/type-usage.port.js';
import { STATUSES, type TypeDefinition } from '../../content-types/definition/content-type.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { readerOf, Reads, type Reader, selectIds, selectNumber } from '../../database/statements/reads.js';
import { execute, placeholders, select } from '../../database/statements/statement.js';
import { executeLater, insertRows } from '../../database/statements/statement-queue.js';
import { INSERT_FIELDS, TERMS_KEY } from '../rows/record-row.js';
import { RecordRemoval } from '../writing/record-removal.js';
import { RecordCounts, REMOVED } from '../counting/record-counts.js';
import { latestWrite } from '../rows/record-portions.js';
import { RecordListeners } from '../writing/record-listeners.js';
import { nextPositions, valuesOfRecords } from './type-walk.js';
import { ownTurn } from '../../common/concurrency/own-turn.js';

/** Rows of the index of slugs that are read together. */
const BATCH = 1_000;

interface Row {
  readonly slug: string;
  readonly locale: string;
}

/**
 * The number of records of a type with a slug that another one of them has, in another locale then. Reads the index
 * of slugs in its order, some at a time, with turns for others in between.
 */
async function countNamesakes(reader: Reader, typeId: number): Promise<number> {
  let last: Row = { slug: '', locale: '' };
  let [found, alike] = [0, 0];
  for (;;) {
    const rows = await reader.select<Row>(
      `SELECT slug, locale FROM records WHERE type_id = ? AND slug >= ? AND (slug > ? OR locale > ?)
        ORDER BY slug, locale LIMIT ${BATCH}`,
      [typeId, last.slug, last.slug, last.locale],
    );
    for (const row of rows) {
      alike = row.slug === last.slug ? alike + 1 : 1;
      // The second one makes two of the first one, too.
      if (alike > 1) found += alike === 2 ? 2 : 1;
      last = row;
    }
    if (rows.length < BATCH) return found;
    await ownTurn();
  }
}

/** Answers content types about the records that are kept under them. */
@Injectable()
export class RecordTypeUsage implements TypeUsage, OnModuleInit {
  private readonly removal: RecordRemoval;

  constructor(
    private readonly host: TypeUsageHost,
    private readonly reads: Reads,
    private readonly dialect: Dialect,
    private readonly recordCounts: RecordCounts,
    private readonly listeners: RecordListeners,
  ) {
    this.removal = new RecordRemoval(dialect, listeners);
  }

  onModuleInit(): void {
    this.host.use(this);
  }

  counts(): Promise<readonly StatusCount[]> {
    return this.recordCounts.all();
  }

  async hasRecords(manager: EntityManager, typeId: number): Promise<boolean> {
    return (await select(manager, 'SELECT id FROM records WHERE type_id = ? LIMIT 1', [typeId])).length > 0;
  }

  async count(typeId: number): Promise<number> {
    const sql = 'SELECT COUNT(*) AS n FROM records WHERE type_id = ? AND trashed_at > 0';
    const [trash, live] = await Promise.all([
      selectNumber(this.reads, sql, [typeId]),
      this.recordCounts.total(typeId, STATUSES),
    ]);
    return live + trash;
  }

  latestWrite(manager: EntityManager): Promise<number> {
    return latestWrite(manager);
  }

  changed(manager: EntityManager, before: TypeDefinition, after: TypeDefinition): Promise<void> {
    return this.listeners.typeChanged(manager, before, after);
  }

  async batch(typeId: number, after: Position | null): Promise<Batch> {
    return this.read(this.reads, await nextPositions(this.reads, this.dialect, typeId, after));
  }

  /** Locks first: what is read after that is what the last writer left. */
  async lockBatch(manager: EntityManager, typeId: number, after: Position | null): Promise<Batch> {
    return this.read(readerOf(manager), await this.lockNext(manager, typeId, after));
  }

  some(ids: readonly number[], manager?: EntityManager): Promise<readonly StoredValues[]> {
    return valuesOfRecords(manager ? readerOf(manager) : this.reads, ids);
  }

  countNamesakes(typeId: number): Promise<number> {
    return countNamesakes(this.reads, typeId);
  }

  namesakesOf(ids: readonly number[], manager?: EntityManager): Promise<number> {
    return selectNumber(
      manager ? readerOf(manager) : this.reads,
      `SELECT COUNT(DISTINCT r.id) AS n FROM records r
         JOIN records o ON o.type_id = r.type_id AND o.slug = r.slug AND o.id <> r.id
        WHERE r.id IN (${placeholders(ids)})`,
      ids,
    );
  }

  /** A record that has rows for the field has one at the first position, so the primary key passes over it. */
  async fillIndexGaps(
    manager: EntityManager,
    typeId: number,
    fieldKey: number,
    after: Position | null,
  ): Promise<Position | null> {
    const positions = await this.lockNext(manager, typeId, after);
    const ids = positions.filter(({ trashedAt }) => trashedAt === 0).map(({ id }) => id);
    if (ids.length > 0) {
      await execute(
        manager,
        `${this.dialect.insertOrIgnore} INTO record_fields (record_id, field_id, pos, num, str, sort_key, unique_key, sort_at)
         SELECT id, ${fieldKey}, 0, NULL, NULL, NULL, NULL, created_at FROM records WHERE id IN (${placeholders(ids)})`,
        ids,
      );
    }
    return positions.at(-1) ?? null;
  }

  async replaceIndex(manager: EntityManager, fieldKey: number, records: readonly RecordIndexRows[]): Promise<void> {
    await this.deleteRows(
      manager,
      fieldKey,
      records.map(({ recordId }) => recordId),
    );
    const rows = records.flatMap(({ recordId, createdAt, rows: own }) =>
      own.map(({ pos, num, str, sortKey, uniqueKey }) => [
        ...[recordId, fieldKey, pos, num, str],
        ...[sortKey, uniqueKey, createdAt],
      ]),
    );
    const hasUnique = records.some(({ rows: own }) => own.some(({ uniqueKey }) => uniqueKey !== null));
    await insertRows(manager, INSERT_FIELDS, rows, { write: hasUnique ? execute : executeLater });
  }

  async dropIndex(manager: EntityManager, fieldKey: number): Promise<number> {
    const ids = await this.removal.nextWithField(manager, fieldKey);
    await this.deleteRows(manager, fieldKey, ids);
    return ids.length;
  }

  /** Looks each id up behind the last one: a `DISTINCT` would walk over all rows. */
  async indexedFields(): Promise<readonly number[]> {
    const keys: number[] = [];
    for (let last = TERMS_KEY; ;) {
      const sql = 'SELECT MIN(field_id) AS n FROM record_fields WHERE field_id > ?';
      last = await selectNumber(this.reads, sql, [last]);
      if (last === 0) return keys;
      keys.push(last);
    }
  }

  /** A counter of its own says that the type was deleted, and that something is left of it. */
  async abandon(manager: EntityManager, typeId: number): Promise<void> {
    await execute(
      manager,
      `${this.dialect.insertOrIgnore} INTO record_counts (type_id, status, n) VALUES (?, '${REMOVED}', 0)`,
      [typeId],
    );
  }

  abandoned(): Promise<readonly number[]> {
    const sql = `SELECT type_id AS id FROM record_counts WHERE status = ? AND ${isOfNoType('type_id')}`;
    return selectIds(this.reads, sql, [REMOVED]);
  }

  async removeBatch(manager: EntityManager, typeId: number): Promise<number> {
    const removed = await this.removal.removeSome(manager, { sql: 'type_id = ?', values: [typeId] });
    return removed === 0 ? this.recordCounts.forgetSome(manager, typeId) : removed;
  }

  private lockNext(manager: EntityManager, typeId: number, after: Position | null): Promise<Position[]> {
    return nextPositions(readerOf(manager), this.dialect, typeId, after, this.dialect.lockForUpdate);
  }

  private async read(reader: Reader, positions: readonly Position[]): Promise<Batch> {
    const ids = positions.map(({ id }) => id);
    return { records: await valuesOfRecords(reader, ids), last: positions.at(-1) ?? null };
  }

  private async deleteRows(manager: EntityManager, fieldKey: number, recordIds: readonly number[]): Promise<void> {
    if (recordIds.length === 0) return;
    await execute(
      manager,
      `DELETE FROM record_fields WHERE record_id IN (${placeholders(recordIds)}) AND field_id = ?`,
      [...recordIds, fieldKey],
    );
  }
}
