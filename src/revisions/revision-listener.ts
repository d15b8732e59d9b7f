import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { TypeDefinition } from '../content-types/content-type.js';
import { placeholders, select } from '../database/statement.js';
import {
  RecordListeners,
  type GoneRecord,
  type RecordChange,
  type RecordListener,
} from '../records/record-listeners.js';
import { termIdsOf } from '../records/record-row.js';
import { RetentionQueue } from './retention/retention-queue.js';
import { DamageLog } from './damage-log.js';
import { RevisionPacker } from './revision-packer.js';
import { deleteRevisionsOf, insertRevisions, lastKeyframes, withHistory, type KeyframeRow } from './revision-rows.js';
import type { SnapshotTerm, TermNames } from './snapshots/snapshot.js';
import { DamagedSnapshot } from './snapshots/stored-snapshot.js';

/** Each id is sent twice, and SQLite takes 32,766 values. */
const PORTION = 10_000;

/** Writes the history of records, in the unit of work that writes them. */
@Injectable()
export class RevisionListener implements RecordListener, OnModuleInit {
  constructor(
    private readonly listeners: RecordListeners,
    private readonly queue: RetentionQueue,
    private readonly damage: DamageLog,
  ) {}

  onModuleInit(): void {
    this.listeners.add(this);
  }

  async written(manager: EntityManager, all: readonly RecordChange[]): Promise<void> {
    const changes = all.filter(({ history }) => history !== 'given');
    if (changes.length === 0) return;
    const packer = new RevisionPacker(await termNames(manager, changes));
    const existing = changes.filter(({ previous }) => previous !== null);
    await this.knowHistories(manager, packer, [...new Set(existing.map(({ id }) => id))]);
    for (const change of changes) await packer.add(change);
    await insertRevisions(manager, packer.all());
    for (const { recordId, baseTs } of packer.all()) if (baseTs === null) this.queue.note(recordId);
  }

  /** Its history waits with a record in the trash. */
  trashed(): Promise<void> {
    return Promise.resolve();
  }

  async removed(manager: EntityManager, records: readonly GoneRecord[]): Promise<void> {
    await deleteRevisionsOf(
      manager,
      records.map(({ id }) => id),
    );
  }

  typeChanged(_: EntityManager, before: TypeDefinition, after: TypeDefinition): Promise<void> {
    if (after.revisions.keep < before.revisions.keep) this.queue.noteAll();
    return Promise.resolve();
  }

  /** What a history has lost must not keep its record from being written: the next revision stands by itself. */
  private async knowHistories(manager: EntityManager, packer: RevisionPacker, ids: readonly number[]): Promise<void> {
    const keyframes = await lastKeyframes(manager, ids);
    for (const keyframe of keyframes) await this.knowKeyframe(packer, keyframe);
    const found = new Set(keyframes.map(({ recordId }) => recordId));
    const missing = ids.filter((id) => !found.has(id));
    for (const id of await withHistory(manager, missing)) {
      packer.knowBegun(id);
      this.damage.note({ recordId: id, ts: null }, new DamagedSnapshot('The history has lost its keyframes.'));
    }
  }

  private async knowKeyframe(packer: RevisionPacker, keyframe: KeyframeRow): Promise<void> {
    try {
      await packer.know(keyframe);
    } catch (error) {
      if (!(error instanceof DamagedSnapshot)) throw error;
      this.damage.note(keyframe, error);
    }
  }
}

/** Terms of all these states by id, as the unit of work sees them: a term may be as new as its assignment. */
async function termNames(manager: EntityManager, changes: readonly RecordChange[]): Promise<TermNames> {
  const ids = [
    ...new Set(changes.flatMap(({ before, after }) => [...termIdsOf(before?.terms ?? {}), ...termIdsOf(after.terms)])),
  ];
  const names = new Map<number, SnapshotTerm>();
  for (let start = 0; start < ids.length; start += PORTION) {
    const some = ids.slice(start, start + PORTION);
    const these = placeholders(some);
    const rows = await select<SnapshotTerm & { readonly asked: number }>(
      manager,
      `SELECT t.id AS asked, t.id, t.slug, t.name FROM terms t WHERE t.id IN (${these})
       UNION ALL
       SELECT r.term_id AS asked, t.id, t.slug, t.name FROM term_redirects r JOIN terms t ON t.id = r.into_id
        WHERE r.term_id IN (${these})`,
      [...some, ...some],
    );
    for (const { asked, ...term } of rows) names.set(asked, term);
  }
  return names;
}
