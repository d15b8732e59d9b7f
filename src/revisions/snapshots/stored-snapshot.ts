import { crc32 } from 'node:zlib';
import { CODEC, unpacked, type Packed, type Codec } from './snapshot-codec.js';
import type { Snapshot } from './snapshot.js';

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
