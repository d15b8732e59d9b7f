import { promisify } from 'node:util';
import { gunzip, gunzipSync, gzip, gzipSync, type ZlibOptions } from 'node:zlib';
import type { Snapshot } from './snapshot.js';

/** The bytes of a revision are not those that were written. */
export class DamagedSnapshotError extends Error {}

/** From so many bytes on the event loop would feel the work. */
const MIN_APART = 65_536;
/** The usual level takes three times as long with long texts, to save a sixteenth of the bytes. */
const LEVEL: ZlibOptions = { level: 3 };
/** No snapshot is longer; damaged bytes may stand for far more. */
const MAX_LENGTH: ZlibOptions = { maxOutputLength: 67_108_864 };

type Work = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;
const gzipApart = promisify(gzip) as Work;
const gunzipApart = promisify(gunzip) as Work;

/** The form in which a revision keeps a snapshot. */
export interface StoredSnapshot {
  /** Length of the JSON. */
  readonly sizeBytes: number;
  readonly bytes: Buffer;
}

/** A snapshot as its revision keeps it: each stands alone, with the checksum that gzip gives it. */
export async function stored(snapshot: Snapshot): Promise<StoredSnapshot> {
  const json = Buffer.from(JSON.stringify(snapshot));
  const bytes = json.length < MIN_APART ? gzipSync(json, LEVEL) : await gzipApart(json, LEVEL);
  return { sizeBytes: json.length, bytes };
}

/** @throws {DamagedSnapshotError} */
export async function unpacked(bytes: Buffer): Promise<Snapshot> {
  try {
    const json = bytes.length < MIN_APART ? gunzipSync(bytes, MAX_LENGTH) : await gunzipApart(bytes, MAX_LENGTH);
    // The checksum has said that it is one.
    return JSON.parse(json.toString()) as Snapshot;
  } catch (cause) {
    throw new DamagedSnapshotError(`The bytes cannot be unpacked: ${(cause as Error).message}`, { cause });
  }
}
