import { isOfNoType } from '../content-types/store/type-rows.js';
import type { Reader } from '../database/statements/reads.js';
import { lastRecordId, RECORD_ROWS } from '../records/rows/record-portions.js';
import { firstIdOf, partOf } from './part.js';

/** A part of a type that counts more or fewer published records than there are. */
export interface PartDrift {
  readonly typeId: number;
  readonly part: number;
  /** What has to be added. */
  readonly urls: number;
}

interface Row {
  readonly type_id: number | string;
  readonly d: number | string;
}

/** Parts of types that are gone are dropped by a job of each hour. */
const ABANDONED_LATE_MS = 2 * 3_600_000;

/** The parts that there are records or counts of. */
export async function partsIn(reader: Reader): Promise<number[]> {
  const rows = await reader.select<{ part: number | string }>(
    'SELECT part FROM sitemap_parts UNION SELECT part FROM sitemap_part_deltas',
  );
  const last = partOf(await lastRecordId(reader));
  const parts = [...rows.map(({ part }) => Number(part)), ...Array.from({ length: last }, (_, n) => n + 1)];
  return [...new Set(parts)].sort((a, b) => a - b);
}

/** What is wrong with the counts of a part. One statement, so it is right whatever others write meanwhile. */
export async function driftOfPart(reader: Reader, part: number): Promise<readonly PartDrift[]> {
  const rows = await reader.select<Row>(
    `SELECT type_id, SUM(n) AS d FROM (
       SELECT r.type_id, COUNT(*) AS n FROM ${RECORD_ROWS}
        WHERE r.id >= ? AND r.id < ? AND r.status = 'published' AND r.trashed_at = 0 GROUP BY r.type_id
       UNION ALL SELECT type_id, -urls FROM sitemap_parts WHERE part = ?
       UNION ALL SELECT type_id, -urls FROM sitemap_part_deltas WHERE part = ?) parts
      WHERE NOT (${isOfNoType('type_id')}) GROUP BY type_id HAVING SUM(n) <> 0 ORDER BY type_id`,
    [firstIdOf(part), firstIdOf(part + 1), part, part],
  );
  return rows.map(({ type_id: typeId, d }) => ({ typeId: Number(typeId), part, urls: Number(d) }));
}

/** All counts that are wrong. */
export async function partDrifts(reader: Reader): Promise<readonly PartDrift[]> {
  const drifts: PartDrift[] = [];
  for (const part of await partsIn(reader)) drifts.push(...(await driftOfPart(reader, part)));
  return drifts;
}

/**
 * Whether there are parts of types that are gone which their job should have dropped.
 *
 * @param now milliseconds since 1970, UTC
 */
export async function hasAbandonedParts(reader: Reader, now: number): Promise<boolean> {
  const sql = `SELECT type_id FROM sitemap_parts WHERE ${isOfNoType('type_id')} AND changed_at < ? LIMIT 1`;
  return (await reader.select(sql, [now - ABANDONED_LATE_MS])).length > 0;
}
