import { placeholders, select } from '../../database/statements/statement.js';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CompiledType, Status, TypeDefinition } from '../../content-types/definition/content-type.js';
import type { RecordState } from './record-state.js';
import type { Authorship } from '../rows/actors.js';

/** The action of a write, as the history of a record names it. */
export const ACTIONS = ['create', 'update', 'publish', 'unpublish', 'restore', 'rollback', 'import'] as const;
export type Action = (typeof ACTIONS)[number];

/**
 * A long state that is about to be written. It is what listeners remember their preparations by; what is written may
 * still differ from it, by terms that are made by being assigned and by a slug that is taken.
 */
export interface PendingWrite {
  readonly type: CompiledType;
  /** `null`: the record is new. */
  readonly id: number | null;
  readonly state: RecordState;
}

/** One write of one record, as it stands in the database now. */
export interface RecordChange {
  readonly type: CompiledType;
  readonly id: number;
  readonly action: Action;
  /** `null`: the record is new, or was in the trash. */
  readonly before: RecordState | null;
  readonly after: RecordState;
  readonly version: number;
  readonly authorship: Authorship;
  /** The author and the time of the version before; `null`: the record is new. */
  readonly previous: Authorship | null;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  /** The `ts` of the revision that a rollback brought back. */
  readonly rollbackOf: number | null;
  /** The write that listeners were asked to prepare; absent for short states. */
  readonly pending?: PendingWrite | undefined;
}

/** A record that was moved to the trash, or removed for good. */
export interface RemovedRecord {
  readonly id: number;
  readonly typeId: number;
  readonly status: Status;
  /** True if it had left the lists before, and now leaves the trash too. */
  readonly wasTrashed: boolean;
}

/** A row that is deleted with its record. */
export interface DependentRow {
  readonly recordId: number;
  readonly bytes: number;
}

/**
 * The rows of a table that go with some records, the first ones in the order of the records.
 *
 * @param bytes SQL for the length of a row
 */
export async function dependentRows(
  manager: EntityManager,
  { table, bytes }: { readonly table: string; readonly bytes: string },
  ids: readonly number[],
  most: number,
): Promise<readonly DependentRow[]> {
  const rows = await select<Record<'record_id' | 'bytes', number | string>>(
    manager,
    `SELECT record_id, ${bytes} AS bytes FROM ${table}
      WHERE record_id IN (${placeholders(ids)}) ORDER BY record_id LIMIT ${most}`,
    ids,
  );
  return rows.map(({ record_id: recordId, bytes: own }) => ({ recordId: Number(recordId), bytes: Number(own) }));
}

/**
 * Port for what has to be written together with a record: its history, its search document, its place in the sitemap.
 * Everything runs inside the unit of work that writes the record, so either both are there or neither is: a listener that
 * throws refuses the write.
 * A unit may run again, so a listener keeps nothing to itself.
 */
export interface RecordListener {
  /**
   * Does what takes long before the unit of work is open, since other writes wait for that. What it finds is kept by
   * the pending write and is good for nothing but speed: the unit may find another state of the database.
   */
  prepare?(pending: PendingWrite): Promise<void>;
  /** Records were created, changed or restored; several where they are imported together. */
  written?(manager: EntityManager, changes: readonly RecordChange[]): Promise<void>;
  /** The working copy of a record was folded into it, and is gone with that. @throws {LostRaceError} it is another one by now */
  folded?(manager: EntityManager, recordId: number, version: number): Promise<void>;
  /** Records went into the trash. */
  trashed?(manager: EntityManager, records: readonly RemovedRecord[]): Promise<void>;
  /** Records were removed for good, out of the lists or out of the trash. */
  removed?(manager: EntityManager, records: readonly RemovedRecord[]): Promise<void>;
  /**
   * Rows that go with some records, where those may be many or long: the first ones in the order of the records.
   *
   * @param most how many rows are wanted
   */
  dependents?(manager: EntityManager, recordIds: readonly number[], most: number): Promise<readonly DependentRow[]>;
  /** A content type has changed, and with it perhaps how its records are shown, found or addressed. */
  typeChanged?(manager: EntityManager, before: TypeDefinition, after: TypeDefinition): Promise<void>;
}

/** Listeners register here at start (`onModuleInit`) and are called in the order of registration. */
@Injectable()
export class RecordListeners implements RecordListener {
  private readonly listeners: RecordListener[] = [];

  add(listener: RecordListener): void {
    this.listeners.push(listener);
  }

  async prepare(pending: PendingWrite): Promise<void> {
    await Promise.all(
      this.listeners.map(async (listener) => {
        await listener.prepare?.(pending);
      }),
    );
  }

  async written(manager: EntityManager, changes: readonly RecordChange[]): Promise<void> {
    for (const listener of this.listeners) await listener.written?.(manager, changes);
  }

  async folded(manager: EntityManager, recordId: number, version: number): Promise<void> {
    for (const listener of this.listeners) await listener.folded?.(manager, recordId, version);
  }

  async trashed(manager: EntityManager, records: readonly RemovedRecord[]): Promise<void> {
    for (const listener of this.listeners) await listener.trashed?.(manager, records);
  }

  async removed(manager: EntityManager, records: readonly RemovedRecord[]): Promise<void> {
    for (const listener of this.listeners) await listener.removed?.(manager, records);
  }

  async dependents(
    manager: EntityManager,
    recordIds: readonly number[],
    most: number,
  ): Promise<readonly DependentRow[]> {
    const all: DependentRow[] = [];
    for (const listener of this.listeners) all.push(...((await listener.dependents?.(manager, recordIds, most)) ?? []));
    return all.toSorted((a, b) => a.recordId - b.recordId).slice(0, most);
  }

  async typeChanged(manager: EntityManager, before: TypeDefinition, after: TypeDefinition): Promise<void> {
    for (const listener of this.listeners) await listener.typeChanged?.(manager, before, after);
  }
}
