import type { EntityManager } from 'typeorm';
import { deleteAll } from '../../database/statements/deletion.js';
import type { Dialect } from '../../database/dialect/dialect.js';
import type { Reader } from '../../database/statements/reads.js';
import { placeholders, select, type SqlValue } from '../../database/statements/statement.js';
import { insertRows } from '../../database/statements/statement-queue.js';
import { RECORD_ROWS } from '../../records/rows/record-portions.js';
import type { DependentRow } from '../../records/writing/record-listeners.js';
import { packedColumns, storedSnapshot, type PackedRow, type StoredSnapshot } from '../snapshots/stored-snapshot.js';

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
