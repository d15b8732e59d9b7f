import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  TypeUsageHolder,
  type RecordIndexRows,
  type StatusCount,
  type StoredValues,
  type TypeUsage,
} from '../content-types/type-usage.port.js';
import type { Status, TypeDefinition } from '../content-types/content-type.js';
import { Dialect } from '../database/dialect/dialect.js';
import { Reads } from '../database/reads.js';
import { execute, placeholders, select } from '../database/statement.js';
import { insertFieldRows } from './writing/field-rows.js';
import { RecordCounts } from './lists/record-counts.js';
import { latestWrite } from './writing/latest-write.js';
import { RecordListeners } from './record-listeners.js';

const BATCH = 500;

interface Row {
  readonly id: number | string;
  readonly created_at: number | string;
  readonly trashed_at: number | string;
  readonly data: string;
}

interface Id {
  readonly id: number | string;
}

/** What content types ask about the records that are kept under them. */
@Injectable()
export class RecordTypeUsage implements TypeUsage, OnModuleInit {
  constructor(
    private readonly holder: TypeUsageHolder,
    private readonly reads: Reads,
    private readonly dialect: Dialect,
    private readonly recordCounts: RecordCounts,
    private readonly listeners: RecordListeners,
  ) {}

  onModuleInit(): void {
    this.holder.use(this);
  }

  counts(): Promise<readonly StatusCount[]> {
    return this.recordCounts.all();
  }

  async count(manager: EntityManager, typeId: number): Promise<number> {
    const sql = 'SELECT COUNT(*) AS n FROM records WHERE type_id = ?';
    const [row] = await select<{ n: number | string }>(manager, sql, [typeId]);
    return Number(row?.n ?? 0);
  }

  latestWrite(manager: EntityManager): Promise<number> {
    return latestWrite(manager);
  }

  changed(manager: EntityManager, before: TypeDefinition, after: TypeDefinition): Promise<void> {
    return this.listeners.typeChanged(manager, before, after);
  }

  async batch(manager: EntityManager, typeId: number, afterId: number): Promise<readonly StoredValues[]> {
    const rows = await select<Row>(
      manager,
      `SELECT r.id, r.created_at, r.trashed_at, c.data
         FROM records r JOIN record_contents c ON c.record_id = r.id
        WHERE r.type_id = ? AND r.id > ? ORDER BY r.id LIMIT ${BATCH}`,
      [typeId, afterId],
    );
    return rows.map((row) => ({
      id: Number(row.id),
      createdAt: Number(row.created_at),
      isTrashed: Number(row.trashed_at) > 0,
      values: JSON.parse(row.data) as Record<string, unknown>,
    }));
  }

  /** Locks first: what is read after that is what the last writer left. */
  async lockBatch(manager: EntityManager, typeId: number, afterId: number): Promise<readonly StoredValues[]> {
    await this.lockNext(manager, typeId, afterId);
    return this.batch(manager, typeId, afterId);
  }

  /** A record that has rows for the field has one at the first position, so the primary key passes over it. */
  async fillIndexGaps(manager: EntityManager, typeId: number, fieldKey: number, afterId: number): Promise<number> {
    const ids = await this.lockNext(manager, typeId, afterId);
    if (ids.length === 0) return 0;
    await execute(
      manager,
      `${this.dialect.insertOrIgnore} INTO record_fields (record_id, field_id, pos, num, str, unique_key, sort_at)
       SELECT id, ${fieldKey}, 0, NULL, NULL, NULL, created_at
         FROM records WHERE id IN (${placeholders(ids)}) AND trashed_at = 0`,
      ids,
    );
    return ids.at(-1) ?? 0;
  }

  async replaceIndex(manager: EntityManager, fieldKey: number, records: readonly RecordIndexRows[]): Promise<void> {
    await this.deleteRows(
      manager,
      fieldKey,
      records.map(({ recordId }) => recordId),
    );
    const rows = records.flatMap(({ recordId, createdAt, rows: own }) =>
      own.map(({ pos, num, str, uniqueKey }) => [recordId, fieldKey, pos, num, str, uniqueKey, createdAt]),
    );
    await insertFieldRows(manager, rows);
  }

  async dropIndex(manager: EntityManager, fieldKey: number): Promise<number> {
    const sql = `SELECT DISTINCT record_id AS id FROM record_fields WHERE field_id = ? LIMIT ${BATCH}`;
    const ids = (await select<Id>(manager, sql, [fieldKey])).map(({ id }) => Number(id));
    await this.deleteRows(manager, fieldKey, ids);
    return ids.length;
  }

  /** A counter without a type says that something is left of the type. */
  async abandon(manager: EntityManager, typeId: number): Promise<void> {
    await execute(
      manager,
      `${this.dialect.insertOrIgnore} INTO record_counts (type_id, status, n) VALUES (?, 'draft', 0)`,
      [typeId],
    );
  }

  async abandoned(): Promise<readonly number[]> {
    const rows = await this.reads.select<Id>(
      'SELECT DISTINCT type_id AS id FROM record_counts WHERE type_id NOT IN (SELECT id FROM content_types)',
    );
    return rows.map(({ id }) => Number(id));
  }

  async removeBatch(manager: EntityManager, typeId: number): Promise<number> {
    const sql = `SELECT id, status, trashed_at FROM records WHERE type_id = ? LIMIT ${BATCH}`;
    const rows = await select<Id & { status: Status; trashed_at: number | string }>(manager, sql, [typeId]);
    if (rows.length === 0) {
      await this.recordCounts.forget(manager, typeId);
      return 0;
    }
    const ids = rows.map(({ id }) => Number(id));
    const these = placeholders(ids);
    await execute(manager, `DELETE FROM record_fields WHERE record_id IN (${these})`, ids);
    await execute(manager, `DELETE FROM record_contents WHERE record_id IN (${these})`, ids);
    await execute(manager, `DELETE FROM records WHERE id IN (${these})`, ids);
    const gone = rows.map((row) => ({
      id: Number(row.id),
      typeId,
      status: row.status,
      wasTrashed: Number(row.trashed_at) > 0,
    }));
    await this.listeners.removed(manager, gone);
    return ids.length;
  }

  /** Ids of the next records of a type; nobody else writes these records until the unit ends. */
  private async lockNext(manager: EntityManager, typeId: number, afterId: number): Promise<number[]> {
    const sql = `SELECT id FROM records WHERE type_id = ? AND id > ? ORDER BY id LIMIT ${BATCH}${this.dialect.lockForUpdate}`;
    const rows = await select<Id>(manager, sql, [typeId, afterId]);
    return rows.map(({ id }) => Number(id));
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
