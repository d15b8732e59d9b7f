import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { executeLater } from '../../database/statements/statement-queue.js';
import { placeholders, select } from '../../database/statements/statement.js';
import {
  RecordListeners,
  type DependentRow,
  type RecordListener,
  type RemovedRecord,
} from '../../records/writing/record-listeners.js';
import { deleteCopy } from './copy-store.js';

/** Removes working copies with their records. Writes of a record leave its copy alone, and it waits with it in the trash. */
@Injectable()
export class CopyListener implements RecordListener, OnModuleInit {
  constructor(private readonly listeners: RecordListeners) {}

  onModuleInit(): void {
    this.listeners.add(this);
  }

  folded(manager: EntityManager, recordId: number, version: number): Promise<void> {
    return deleteCopy(manager, recordId, version);
  }

  async removed(manager: EntityManager, records: readonly RemovedRecord[]): Promise<void> {
    const ids = records.map(({ id }) => id);
    if (ids.length === 0) return;
    await executeLater(manager, `DELETE FROM record_drafts WHERE record_id IN (${placeholders(ids)})`, ids);
  }

  async dependents(
    manager: EntityManager,
    recordIds: readonly number[],
    most: number,
  ): Promise<readonly DependentRow[]> {
    const rows = await select<Record<'record_id' | 'bytes', number | string>>(
      manager,
      `SELECT record_id, OCTET_LENGTH(changes) + OCTET_LENGTH(bases) AS bytes FROM record_drafts
        WHERE record_id IN (${placeholders(recordIds)}) ORDER BY record_id LIMIT ${most}`,
      recordIds,
    );
    return rows.map(({ record_id: recordId, bytes }) => ({ recordId: Number(recordId), bytes: Number(bytes) }));
  }
}
