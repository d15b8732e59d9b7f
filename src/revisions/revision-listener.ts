import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from 'typeorm';
import { ownTurn } from '../common/concurrency/own-turn.js';
import type { TypeDefinition } from '../content-types/definition/content-type.js';
import { Dialect } from '../database/dialect/dialect.js';
import { deleteAll } from '../database/statements/deletion.js';
import { readerOf, Reads } from '../database/statements/reads.js';
import { insertRows } from '../database/statements/statement-queue.js';
import { placeholders, type SqlValue } from '../database/statements/statement.js';
import {
  RecordListeners,
  type PendingWrite,
  type RemovedRecord,
  type DependentRow,
  type RecordChange,
  type RecordListener,
  dependentRows,
} from '../records/writing/record-listeners.js';
import { termIdsOf } from '../records/rows/record-row.js';
import { Retention } from './retention.js';
import { changedNames, NO_NAMES, snapshotOf, termNames, type Snapshot, type TermNames } from './snapshots/snapshot.js';
import { stored, type StoredSnapshot } from './snapshots/stored-snapshot.js';

interface Prepared extends StoredSnapshot {
  /** The packed snapshot. Its texts are the ones of the state: to compare them with what is written costs nothing. */
  readonly snapshot: Snapshot;
}

const COLUMNS = 'record_id, ts, version, action, title, status, actor_id, changed, rollback_of, size_bytes, snapshot';

/** A snapshot may have hundreds of kilobytes. */
const REVISIONS_AT_ONCE = 200;

/** Writes the history of records, whose own waits with them in the trash, in the unit of work that writes them. */
@Injectable()
export class RevisionListener implements RecordListener, OnModuleInit {
  private readonly prepared = new WeakMap<PendingWrite, Prepared>();

  constructor(
    private readonly listeners: RecordListeners,
    private readonly retention: Retention,
    private readonly reads: Reads,
    private readonly dialect: Dialect,
  ) {}

  onModuleInit(): void {
    this.listeners.add(this);
  }

  /** To deflate a megabyte takes some ten milliseconds. The unit packs again what is then written otherwise. */
  async prepare(pending: PendingWrite): Promise<void> {
    const { type, state } = pending;
    const snapshot = snapshotOf(type, state, await termNames(this.reads, termIdsOf(state.terms)));
    await ownTurn();
    this.prepared.set(pending, { snapshot, ...(await stored(snapshot)) });
  }

  async written(manager: EntityManager, changes: readonly RecordChange[]): Promise<void> {
    const ids: number[] = [];
    for (const { after } of changes) ids.push(...termIdsOf(after.terms));
    const names = ids.length === 0 ? NO_NAMES : await termNames(readerOf(manager), ids);
    const rows: SqlValue[][] = [];
    for (const change of changes) rows.push(await this.rowOf(change, names));
    await insertRows(manager, `INSERT INTO revisions (${COLUMNS})`, rows);
    for (const { type, id, version } of changes) if (version > type.revisions.keep) this.retention.note(id);
  }

  async removed(manager: EntityManager, records: readonly RemovedRecord[]): Promise<void> {
    if (records.length === 0) return;
    const values = records.map(({ id }) => id);
    const condition = `record_id IN (${placeholders(values)})`;
    await deleteAll(manager, this.dialect, { table: 'revisions', condition, values, atOnce: REVISIONS_AT_ONCE });
  }

  dependents(manager: EntityManager, ids: readonly number[], most: number): Promise<readonly DependentRow[]> {
    return dependentRows(manager, { table: 'revisions', bytes: 'OCTET_LENGTH(snapshot)' }, ids, most);
  }

  typeChanged(_: EntityManager, before: TypeDefinition, after: TypeDefinition): Promise<void> {
    if (after.revisions.keep < before.revisions.keep) this.retention.noteAll();
    return Promise.resolve();
  }

  private async rowOf(change: RecordChange, names: TermNames): Promise<SqlValue[]> {
    const { type, id, action, before, after, version, authorship, rollbackOf, pending } = change;
    const snapshot = snapshotOf(type, after, names);
    const ready = pending && this.prepared.get(pending);
    const isReady = ready !== undefined && isDeepStrictEqual(ready.snapshot, snapshot);
    const { sizeBytes, bytes } = isReady ? ready : await stored(snapshot);
    const changed = action === 'restore' ? [] : changedNames(type, before, after);
    const details = [id, authorship.at, version, action, after.title, after.status, authorship.actor];
    return [...details, JSON.stringify(changed), rollbackOf, sizeBytes, bytes];
  }
}
