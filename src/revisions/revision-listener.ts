import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { TypeDefinition } from '../content-types/definition/content-type.js';
import { Dialect } from '../database/dialect/dialect.js';
import { readerOf } from '../database/statements/reads.js';
import {
  RecordListeners,
  type ComingWrite,
  type RemovedRecord,
  type DependentRow,
  type RecordChange,
  type RecordListener,
} from '../records/writing/record-listeners.js';
import { RetentionQueue } from './retention/retention-queue.js';
import { DamageLog } from './history/damage-log.js';
import { PreparedSnapshots } from './history/prepared-snapshots.js';
import {
  RevisionPacker,
  type ReadySnapshot,
  deleteRevisionsOf,
  insertRevisions,
  lastKeyframes,
  sizesOfRevisions,
  withHistory,
  type KeyframeRow,
} from './history/revision-packer.js';
import { DamagedSnapshotError } from './snapshots/stored-snapshot.js';
import { termNames } from './snapshots/snapshot.js';

const NONE_READY: ReadonlyMap<RecordChange, ReadySnapshot> = new Map();

/** Writes the history of records, whose own waits with them in the trash, in the unit of work that writes them. */
@Injectable()
export class RevisionListener implements RecordListener, OnModuleInit {
  constructor(
    private readonly listeners: RecordListeners,
    private readonly queue: RetentionQueue,
    private readonly damage: DamageLog,
    private readonly prepared: PreparedSnapshots,
    private readonly dialect: Dialect,
  ) {}

  onModuleInit(): void {
    this.listeners.add(this);
  }

  /** To compare and to deflate a long snapshot takes some ten milliseconds. */
  prepare(coming: ComingWrite): Promise<void> {
    return this.prepared.prepare(coming);
  }

  async written(manager: EntityManager, changes: readonly RecordChange[]): Promise<void> {
    const states = changes.flatMap(({ before, after }) => (before ? [before, after] : [after]));
    const names = await termNames(readerOf(manager), states);
    const packer = new RevisionPacker(names);
    const isPrepared = changes.some(({ coming }) => coming !== undefined);
    const ready = isPrepared ? await this.prepared.fitting(manager, changes, names) : NONE_READY;
    const existing = changes.filter((change) => change.previous !== null && !ready.has(change));
    await this.knowHistories(manager, packer, [...new Set(existing.map(({ id }) => id))]);
    for (const change of changes) await packer.add(change, ready.get(change));
    await insertRevisions(manager, packer.all());
    for (const { recordId, baseTs } of packer.all()) if (baseTs === null) this.queue.note(recordId);
  }

  async removed(manager: EntityManager, records: readonly RemovedRecord[]): Promise<void> {
    await deleteRevisionsOf(
      manager,
      this.dialect,
      records.map(({ id }) => id),
    );
  }

  dependents(manager: EntityManager, recordIds: readonly number[], most: number): Promise<readonly DependentRow[]> {
    return sizesOfRevisions(manager, recordIds, most);
  }

  typeChanged(_: EntityManager, before: TypeDefinition, after: TypeDefinition): Promise<void> {
    if (after.revisions.keep < before.revisions.keep) this.queue.noteAll();
    return Promise.resolve();
  }

  /** What a history has lost must not keep its record from being written: the next revision stands by itself. */
  private async knowHistories(manager: EntityManager, packer: RevisionPacker, ids: readonly number[]): Promise<void> {
    const keyframes = await lastKeyframes(readerOf(manager), ids);
    for (const keyframe of keyframes) await this.knowKeyframe(packer, keyframe);
    const found = new Set(keyframes.map(({ recordId }) => recordId));
    const missing = ids.filter((id) => !found.has(id));
    for (const id of await withHistory(manager, missing)) {
      packer.knowBegun(id);
      this.damage.note({ recordId: id, ts: null }, new DamagedSnapshotError('The history has lost its keyframes.'));
    }
  }

  private async knowKeyframe(packer: RevisionPacker, keyframe: KeyframeRow): Promise<void> {
    try {
      await packer.know(keyframe);
    } catch (error) {
      if (!(error instanceof DamagedSnapshotError)) throw error;
      this.damage.note(keyframe, error);
    }
  }
}
