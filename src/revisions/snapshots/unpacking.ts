import { storedSnapshot, type PackedRow, plainBytes, snapshotFrom } from './stored-snapshot.js';
import type { Snapshot } from './snapshot.js';

type Number64 = number | string;

/** A row of `revisions`, as far as it has to do with its snapshot. */
export interface UnpackableRow extends PackedRow {
  readonly record_id: Number64;
  readonly ts: Number64;
  readonly base_ts: Number64 | null;
}

/** Unpacks the revisions of one record after the other, by their times: a keyframe comes before what needs it. */
export class Unpacking {
  private keyframe: { recordId: number; ts: number; plain: Buffer } | null = null;

  /** @throws {DamagedSnapshotError} */
  async plain(row: UnpackableRow): Promise<Buffer> {
    const recordId = Number(row.record_id);
    const isKnown = this.keyframe?.recordId === recordId && this.keyframe.ts === Number(row.base_ts);
    const plain = await plainBytes(storedSnapshot(row), isKnown ? (this.keyframe?.plain ?? null) : null);
    if (row.base_ts === null) this.keyframe = { recordId, ts: Number(row.ts), plain };
    return plain;
  }

  /** @throws {DamagedSnapshotError} */
  async snapshot(row: UnpackableRow): Promise<Snapshot> {
    return snapshotFrom(await this.plain(row));
  }
}
