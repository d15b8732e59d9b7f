import type { EntityManager } from 'typeorm';
import { deleteAll } from '../../database/statements/deletion.js';
import type { Dialect } from '../../database/dialect/dialect.js';
import type { Reader } from '../../database/statements/reads.js';
import { placeholders, select, type SqlValue } from '../../database/statements/statement.js';
import { insertRows } from '../../database/statements/statement-queue.js';
import { RECORD_ROWS } from '../../records/rows/record-portions.js';
import type { DependentRow, RecordChange } from '../../records/writing/record-listeners.js';
import {
  packedColumns,
  storedSnapshot,
  type PackedRow,
  type StoredSnapshot,
  packedDelta,
  packedKeyframe,
  checksumOf,
  plainBytes,
} from '../snapshots/stored-snapshot.js';
import type { RecordState } from '../../records/writing/record-state.js';
import type { Authorship } from '../../records/rows/actors.js';
import { bytesOf, changedNames, snapshotOf, type Snapshot, type TermNames } from '../snapshots/snapshot.js';

/** A revision that is to be written. */
export interface NewRevision extends StoredSnapshot {
  readonly recordId: number;
  /** Milliseconds since 1970, UTC. */
  readonly ts: number;
  readonly version: number;
  readonly action: string;
  readonly title: string;
  readonly status: string;
  readonly actor: number;
  readonly changed: readonly string[];
  readonly rollbackOf: number | null;
  readonly baseTs: number | null;
}

/** The keyframe that the next revision of a record can be packed against. */
export interface KeyframePlace {
  readonly recordId: number;
  readonly ts: number;
  /** How many revisions came after it. */
  readonly followers: number;
}

export interface KeyframeRow extends KeyframePlace, StoredSnapshot {}

type PlaceRow = Readonly<Record<'record_id' | 'ts' | 'followers', number | string>>;

const COLUMNS =
  'record_id, ts, version, action, title, status, actor_id, changed, rollback_of, codec, base_ts, size_bytes, checksum, snapshot';

/** Writes revisions, however many and however long they are. */
export async function insertRevisions(manager: EntityManager, revisions: readonly NewRevision[]): Promise<void> {
  await insertRows(manager, `INSERT INTO revisions (${COLUMNS})`, revisions.map(valuesOf));
}

/** The last keyframe of each of these records. */
export async function lastKeyframes(reader: Reader, recordIds: readonly number[]): Promise<KeyframeRow[]> {
  if (recordIds.length === 0) return [];
  const rows = await reader.select<PlaceRow & PackedRow>(lastKeyframesSql(packedColumns('k'), recordIds), recordIds);
  return rows.map((row) => ({ ...placeOf(row), ...storedSnapshot(row) }));
}

/** Where the last keyframe of a record stands, without its bytes. */
export async function lastKeyframePlace(reader: Reader, recordId: number): Promise<KeyframePlace | null> {
  const [row] = await reader.select<PlaceRow>(lastKeyframesSql('k.codec', [recordId]), [recordId]);
  return row ? placeOf(row) : null;
}

/** Those of some records that have a history, be it one that has lost its keyframes. */
export async function withHistory(manager: EntityManager, recordIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (recordIds.length === 0) return new Set();
  const rows = await select<{ record_id: number | string }>(
    manager,
    `SELECT DISTINCT record_id FROM revisions WHERE record_id IN (${placeholders(recordIds)})`,
    recordIds,
  );
  return new Set(rows.map(({ record_id: id }) => Number(id)));
}

/** A snapshot may have hundreds of kilobytes. */
const REVISIONS_AT_ONCE = 200;

/** The first revisions of some records and their sizes, in the order of the records. */
export async function sizesOfRevisions(
  manager: EntityManager,
  recordIds: readonly number[],
  most: number,
): Promise<readonly DependentRow[]> {
  const rows = await select<{ record_id: number | string; bytes: number | string }>(
    manager,
    `SELECT record_id, OCTET_LENGTH(snapshot) AS bytes FROM revisions
      WHERE record_id IN (${placeholders(recordIds)}) ORDER BY record_id LIMIT ${most}`,
    recordIds,
  );
  return rows.map(({ record_id: recordId, bytes }) => ({ recordId: Number(recordId), bytes: Number(bytes) }));
}

export async function deleteRevisionsOf(
  manager: EntityManager,
  dialect: Dialect,
  recordIds: readonly number[],
): Promise<void> {
  if (recordIds.length === 0) return;
  const condition = `record_id IN (${placeholders(recordIds)})`;
  await deleteAll(manager, dialect, { table: 'revisions', condition, values: recordIds, atOnce: REVISIONS_AT_ONCE });
}

function lastKeyframesSql(columns: string, recordIds: readonly number[]): string {
  return `SELECT k.record_id, k.ts, ${columns},
                 (SELECT COUNT(*) FROM revisions f WHERE f.record_id = k.record_id AND f.ts > k.ts) AS followers
            FROM ${RECORD_ROWS}
            JOIN revisions k ON k.record_id = r.id
             AND k.ts = (SELECT b.ts FROM revisions b WHERE b.record_id = r.id AND b.base_ts IS NULL ORDER BY b.ts DESC LIMIT 1)
           WHERE r.id IN (${placeholders(recordIds)})`;
}

function placeOf({ record_id: recordId, ts, followers }: PlaceRow): KeyframePlace {
  return { recordId: Number(recordId), ts: Number(ts), followers: Number(followers) };
}

function valuesOf(revision: NewRevision): SqlValue[] {
  const { recordId, ts, version, action, title, status, actor, changed, rollbackOf, codec, baseTs } = revision;
  const details = [recordId, ts, version, action, title, status, actor, JSON.stringify(changed), rollbackOf];
  return [...details, codec, baseTs, revision.sizeBytes, revision.checksum, revision.bytes];
}

/** How many revisions one keyframe serves, itself included: measured, see bench/README.md. */
export const GROUP = 20;

interface Keyframe {
  readonly ts: number;
  readonly plain: Buffer;
  readonly packedLength: number;
  followers: number;
}

/** What a revision says beside its snapshot. */
interface RevisionDetails {
  readonly authorship: Authorship;
  readonly version: number;
  readonly action: NewRevision['action'];
  readonly changed: readonly string[];
  readonly rollbackOf: number | null;
}

interface Entry extends RevisionDetails {
  readonly state: RecordState;
}

export type PackedRevision = Pick<NewRevision, 'codec' | 'bytes' | 'baseTs'>;

/** A snapshot as it is to be kept. */
export interface ReadySnapshot {
  readonly plain: Buffer;
  readonly checksum: number;
  readonly packed: PackedRevision;
}

/** Makes revisions out of the writes of one unit of work, each packed against the last keyframe of its record. */
export class RevisionPacker {
  private readonly keyframes = new Map<number, Keyframe>();
  /** Records that have a history already, be it a damaged one: it must not begin a second time. */
  private readonly begun = new Set<number>();
  private readonly revisions: NewRevision[] = [];

  constructor(private readonly names: TermNames) {}

  /** @throws {DamagedSnapshotError} the next revision of the record will be a keyframe then */
  async know(keyframe: KeyframeRow): Promise<void> {
    const { recordId, ts, bytes, followers } = keyframe;
    this.knowBegun(recordId);
    const plain = await plainBytes(keyframe, null);
    this.keyframes.set(recordId, { ts, plain, packedLength: bytes.length, followers });
  }

  /** The record has a history, though perhaps nothing that a revision can be packed against. */
  knowBegun(recordId: number): void {
    this.begun.add(recordId);
  }

  /** @param ready what was packed before the unit of work, of which {@link know} needs nothing */
  async add(change: RecordChange, ready?: ReadySnapshot): Promise<void> {
    const { type, action, before, after, version, authorship, rollbackOf } = change;
    if (ready) this.knowBegun(change.id);
    else await this.addBaseline(change);
    const changed = action === 'restore' ? [] : changedNames(type, before, after);
    const entry = { authorship, version, action, state: after, changed, rollbackOf };
    if (ready) this.note(change.id, entry, after, ready);
    else await this.pack(change, entry);
  }

  /** All revisions, in the order of their writes. */
  all(): readonly NewRevision[] {
    return this.revisions;
  }

  /** A record without a history, which a partial backup may lack, gets one that begins with what it was. */
  private async addBaseline(change: RecordChange): Promise<void> {
    const { id, before, previous, version } = change;
    if (before === null || previous === null || this.begun.has(id)) return;
    this.begun.add(id);
    const action = version === 2 ? 'create' : 'update';
    await this.pack(change, {
      authorship: previous,
      version: version - 1,
      action,
      state: before,
      changed: [],
      rollbackOf: null,
    });
  }

  private async pack({ id, type }: RecordChange, entry: Entry): Promise<void> {
    const snapshot = snapshotOf(type, entry.state, this.names);
    this.note(id, entry, snapshot, await this.packed(id, entry.authorship.at, bytesOf(snapshot)));
  }

  /** The next snapshot of a record. */
  async packed(id: number, ts: number, plain: Buffer): Promise<ReadySnapshot> {
    const packed = (await this.packedDelta(id, plain)) ?? (await this.packedKeyframe(id, ts, plain));
    return { plain, checksum: checksumOf(plain), packed };
  }

  private note(
    id: number,
    details: RevisionDetails,
    { title, status }: Pick<Snapshot, 'title' | 'status'>,
    { plain, checksum, packed }: ReadySnapshot,
  ): void {
    this.revisions.push({
      recordId: id,
      ts: details.authorship.at,
      version: details.version,
      action: details.action,
      title,
      status,
      actor: details.authorship.actor,
      changed: details.changed,
      rollbackOf: details.rollbackOf,
      ...packed,
      sizeBytes: plain.length,
      checksum,
    });
  }

  /** `null`: there is no keyframe, or it has served enough, or it has too little in common. */
  private async packedDelta(id: number, plain: Buffer): Promise<PackedRevision | null> {
    const keyframe = this.keyframes.get(id);
    if (!keyframe || keyframe.followers >= GROUP - 1) return null;
    const delta = await packedDelta(plain, keyframe.plain, keyframe.packedLength);
    if (!delta) return null;
    keyframe.followers += 1;
    return { codec: delta.codec, bytes: delta.bytes, baseTs: keyframe.ts };
  }

  private async packedKeyframe(id: number, ts: number, plain: Buffer): Promise<PackedRevision> {
    const { codec, bytes } = await packedKeyframe(plain);
    this.keyframes.set(id, { ts, plain, packedLength: bytes.length, followers: 0 });
    return { codec, bytes, baseTs: null };
  }
}
