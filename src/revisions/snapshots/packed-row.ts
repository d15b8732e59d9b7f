import type { Codec } from './snapshot-codec.js';
import type { StoredSnapshot } from './stored-snapshot.js';

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
