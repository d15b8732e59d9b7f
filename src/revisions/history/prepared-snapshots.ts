import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from 'typeorm';
import { ownTurn } from '../../common/concurrency/own-turn.js';
import { readerOf, Reads } from '../../database/statements/reads.js';
import type { ComingWrite, RecordChange } from '../../records/writing/record-listeners.js';
import { GROUP, RevisionPacker, type ReadySnapshot, lastKeyframePlace, lastKeyframes } from './revision-packer.js';
import { bytesOf, snapshotOf, type Snapshot, type TermNames, termNames } from '../snapshots/snapshot.js';
import { MIN_APART, DamagedSnapshotError } from '../snapshots/stored-snapshot.js';

interface Prepared extends ReadySnapshot {
  /** What was packed. Its texts are those of the state: to compare them with what is written costs nothing. */
  readonly snapshot: Snapshot;
  /** The last keyframe that the record had then; `null`: it is new. */
  readonly keyframeTs: number | null;
}

/**
 * Packs long snapshots before the unit of work that writes them: other writes wait for that, and to compare and to
 * deflate a megabyte takes some ten milliseconds. The unit packs anew what it does not find as it was expected.
 */
@Injectable()
export class PreparedSnapshots {
  private readonly prepared = new WeakMap<ComingWrite, Prepared>();

  constructor(private readonly reads: Reads) {}

  async prepare(coming: ComingWrite): Promise<void> {
    const { type, id, state } = coming;
    const names = await termNames(this.reads, [state]);
    const snapshot = snapshotOf(type, state, names);
    await ownTurn();
    const plain = bytesOf(snapshot);
    if (plain.length < MIN_APART) return;
    await ownTurn();
    const packer = new RevisionPacker(names);
    const keyframeTs = id === null ? null : await this.knowKeyframe(packer, id);
    // A history that is yet to begin, or has to begin anew, is left to the unit.
    if (keyframeTs === undefined) return;
    // The record has no id yet, or its keyframe is known by now.
    const ready = await packer.packed(id ?? 0, 0, plain);
    this.prepared.set(coming, { ...ready, snapshot, keyframeTs });
  }

  /** What was prepared and is still what these changes need. */
  async fitting(
    manager: EntityManager,
    changes: readonly RecordChange[],
    names: TermNames,
  ): Promise<ReadonlyMap<RecordChange, ReadySnapshot>> {
    const fitting = new Map<RecordChange, ReadySnapshot>();
    for (const change of changes) {
      const prepared = change.coming && this.prepared.get(change.coming);
      if (!prepared || !isDeepStrictEqual(prepared.snapshot, snapshotOf(change.type, change.after, names))) continue;
      if (await isCurrent(manager, change.id, prepared)) fitting.set(change, prepared);
    }
    return fitting;
  }

  private async knowKeyframe(packer: RevisionPacker, id: number): Promise<number | undefined> {
    const [keyframe] = await lastKeyframes(this.reads, [id]);
    try {
      if (keyframe) await packer.know(keyframe);
    } catch (error) {
      if (error instanceof DamagedSnapshotError) return undefined;
      throw error;
    }
    return keyframe?.ts;
  }
}

/** Whether the record still has the keyframe that a snapshot was packed against, and that may serve one more. */
async function isCurrent(manager: EntityManager, id: number, { keyframeTs, packed }: Prepared): Promise<boolean> {
  if (keyframeTs === null) return true;
  const place = await lastKeyframePlace(readerOf(manager), id);
  return place?.ts === keyframeTs && (packed.baseTs === null || place.followers < GROUP - 1);
}
