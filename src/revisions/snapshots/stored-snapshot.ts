import { crc32, deflateRaw, deflateRawSync, inflateRaw, inflateRawSync, type ZlibOptions } from 'node:zlib';
import type { Snapshot } from './snapshot.js';
import { promisify } from 'node:util';
import { appliedDelta, deltaOf } from './delta.js';

/** The bytes of a snapshot as a row keeps them, and the checksum that shows whether they are still the ones that were written. */
export interface StoredSnapshot extends Packed {
  readonly sizeBytes: number;
  readonly checksum: number;
}

/** The bytes of a revision are not those that were written, or its keyframe is missing or damaged. */
export class DamagedSnapshotError extends Error {}

/** CRC-32 as the signed number that a column of 32 bits holds. */
export function checksumOf(plain: Buffer): number {
  return crc32(plain) | 0;
}

/**
 * The JSON of a snapshot.
 *
 * @param keyframe the plain bytes that it was packed against; `null`: it was not, or they are missing
 * @throws {DamagedSnapshotError}
 */
export async function plainBytes(stored: StoredSnapshot, keyframe: Buffer | null): Promise<Buffer> {
  if (stored.codec === CODEC.delta && keyframe === null) {
    throw new DamagedSnapshotError('The keyframe that it was packed against is missing or damaged.');
  }
  const plain = await unpacked(stored, keyframe, stored.sizeBytes).catch((cause: unknown) => {
    throw new DamagedSnapshotError(`The bytes cannot be unpacked: ${(cause as Error).message}`, { cause });
  });
  if (plain.length !== stored.sizeBytes) {
    throw new DamagedSnapshotError(`${plain.length} bytes came out in the place of ${stored.sizeBytes}.`);
  }
  if (checksumOf(plain) !== stored.checksum) {
    throw new DamagedSnapshotError('The checksum is another one.');
  }
  return plain;
}

/** @throws {DamagedSnapshotError} */
export function snapshotFrom(plain: Buffer): Snapshot {
  try {
    // The checksum has said that it is one.
    return JSON.parse(plain.toString()) as Snapshot;
  } catch (cause) {
    throw new DamagedSnapshotError('It is not JSON.', { cause });
  }
}

/** The columns of `revisions` that hold a snapshot. */
export interface PackedRow {
  readonly codec: number;
  readonly size_bytes: number;
  readonly checksum: number;
  readonly snapshot: Buffer;
}

/** @param table alias of `revisions` in the statement */
export function packedColumns(table: string): string {
  return ['codec', 'size_bytes', 'checksum', 'snapshot'].map((name) => `${table}.${name}`).join(', ');
}

export function storedSnapshot({ codec, size_bytes: sizeBytes, checksum, snapshot }: PackedRow): StoredSnapshot {
  return { codec: codec as Codec, bytes: snapshot, sizeBytes, checksum };
}

/** How the bytes of a snapshot are kept. */
export const CODEC = {
  plain: 0,
  deflated: 1,
  /** What makes it out of its keyframe, deflated. */
  delta: 2,
} as const;
type Codec = (typeof CODEC)[keyof typeof CODEC];

/** The bytes of a snapshot as a row keeps them. */
export interface Packed {
  readonly codec: Codec;
  readonly bytes: Buffer;
}

/** Below this, what deflate saves is less than a row of a table costs anyway. */
const MIN_DEFLATED = 128;
/** From this on the event loop would feel it. */
export const MIN_APART = 65_536;

/**
 * Most snapshots are no longer, and zlib needs no tables for more: to clear them takes as long as a tenth of the work.
 * Its usual level takes a third longer, to save a hundredth of the bytes.
 */
const SMALL = 4_096;
const FOR_SMALL = { level: 4, windowBits: 12, memLevel: 5, chunkSize: SMALL };

/** A delta of so many bytes of its keyframe is another text: it need not be deflated to see that it stays too long. */
const HOPELESS = 0.9;

const deflateApart = promisify(deflateRaw) as (bytes: Buffer) => Promise<Buffer>;
const inflateApart = promisify(inflateRaw) as (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;

/** A snapshot that can be read by itself. */
export async function packedKeyframe(plain: Buffer): Promise<Packed> {
  if (plain.length < MIN_DEFLATED) return { codec: CODEC.plain, bytes: plain };
  return { codec: CODEC.deflated, bytes: await deflated(plain) };
}

/**
 * A snapshot as its difference from a keyframe; `null` where the two have so little in common that a keyframe
 * of its own is the better choice, also for those that come after it.
 */
export async function packedDelta(
  plain: Buffer,
  keyframe: Buffer,
  packedKeyframeLength: number,
): Promise<Packed | null> {
  const delta = await deltaOf(keyframe, plain);
  if (delta.length > keyframe.length * HOPELESS) return null;
  const bytes = await deflated(delta);
  return bytes.length * 2 > packedKeyframeLength ? null : { codec: CODEC.delta, bytes };
}

/**
 * @param keyframe the plain bytes that a delta was made against
 * @param sizeBytes how long the snapshot has to be: damaged bytes may stand for far more
 * @throws whatever shows that the bytes are damaged
 */
export async function unpacked({ codec, bytes }: Packed, keyframe: Buffer | null, sizeBytes: number): Promise<Buffer> {
  switch (codec) {
    case CODEC.plain:
      return bytes;
    case CODEC.deflated:
      return inflated(bytes, sizeBytes);
    case CODEC.delta:
      if (keyframe === null) throw new Error('A delta needs its keyframe.');
      return appliedDelta(keyframe, await inflated(bytes, keyframe.length), sizeBytes);
    default:
      throw new Error(`There is no codec ${String(codec)}.`);
  }
}

async function inflated(bytes: Buffer, most: number): Promise<Buffer> {
  const options = { maxOutputLength: Math.max(1, most) };
  return bytes.length < MIN_APART ? inflateRawSync(bytes, options) : inflateApart(bytes, options);
}

async function deflated(plain: Buffer): Promise<Buffer> {
  if (plain.length <= SMALL) return deflateRawSync(plain, FOR_SMALL);
  return plain.length < MIN_APART ? deflateRawSync(plain) : deflateApart(plain);
}
