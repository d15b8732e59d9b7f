import type { RecordChange } from '../../records/writing/record-listeners.js';
import type { RecordState } from '../../records/writing/record-state.js';
import type { Authorship } from '../../records/writing/authorships.js';
import type { KeyframeRow, NewRevision } from './revision-rows.js';
import { bytesOf, changedNames, snapshotOf, type Snapshot, type TermNames } from '../snapshots/snapshot.js';
import { packedDelta, packedKeyframe } from '../snapshots/snapshot-codec.js';
import { checksumOf, plainBytes } from '../snapshots/stored-snapshot.js';

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
    // A state with a damaged column makes no revision.
    if (before === null || before.damaged || previous === null || this.begun.has(id)) return;
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
