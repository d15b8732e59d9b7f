import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CoalescedRuns } from '../common/concurrency/coalesced-runs.js';
import { isOfNoType } from '../content-types/store/type-rows.js';
import { Dialect } from '../database/dialect/dialect.js';
import { readerOf, Reads, type Reader } from '../database/statements/reads.js';
import { LateWrites } from '../database/statements/late-writes.js';
import { execute, placeholders, select } from '../database/statements/statement.js';
import { executeLater } from '../database/statements/statement-queue.js';
import { UnitOfWork } from '../database/units/unit-of-work.js';
import { lastRecordId, RECORD_ROWS } from '../records/rows/record-portions.js';

/** How much of a part changes, or has changed so far. */
export interface PartCount {
  readonly typeId: number;
  readonly part: number;
  /** Published records. */
  readonly urls: number;
  readonly changes: number;
  /** The newest change, milliseconds since 1970, UTC. */
  readonly changedAt: number;
}

/** Servers hand sums out as text. */
interface Row {
  readonly type_id: number | string;
  readonly part: number | string;
  readonly urls: number | string;
  readonly changes: number | string;
  readonly changed_at: number | string;
}

const COLUMNS = 'type_id, part, urls, changes, changed_at';
const FOLD_BATCH = 1_000;

/**
 * The contents of each part of the sitemap, and how often they have changed, without looking at records.
 * Kept as record counts are: where writers run side by side a change is appended and folded in later. One appended row
 * has the sum, the count and the newest time together, so that a write pays for one row and not for three.
 */
@Injectable()
export class PartCounts {
  private readonly shared = new CoalescedRuns<readonly PartCount[]>();
  private readonly late = new LateWrites<PartCount>('sitemap_parts', (manager, changes) =>
    this.addToRows(manager, summed(changes)),
  );

  constructor(
    private readonly reads: Reads,
    private readonly dialect: Dialect,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** All parts of all types, as of now. */
  all(): Promise<readonly PartCount[]> {
    return this.shared.run('all', async () => {
      const folded = `SELECT ${COLUMNS} FROM sitemap_parts`;
      const appended = `SELECT type_id, part, SUM(urls), SUM(changes), MAX(changed_at)
                          FROM sitemap_part_deltas GROUP BY type_id, part`;
      const sql = this.dialect.hasOneWriter ? folded : `${folded} UNION ALL ${appended}`;
      return summed((await this.reads.select<Row>(sql)).map(fromRow));
    });
  }

  /** Counts changes that are part of a unit of work. */
  async add(manager: EntityManager, changes: readonly PartCount[]): Promise<void> {
    if (this.dialect.hasOneWriter) return this.late.add(manager, changes);
    const sums = summed(changes);
    if (sums.length === 0) return;
    await executeLater(
      manager,
      `INSERT INTO sitemap_part_deltas (${COLUMNS}) VALUES ${sums.map(() => '(?, ?, ?, ?, ?)').join(', ')}`,
      sums.flatMap(({ typeId, part, urls, changes: n, changedAt }) => [typeId, part, urls, n, changedAt]),
    );
  }

  /** Counts a change of everything that a type has in the sitemap. */
  async addToAll(manager: EntityManager, typeId: number, changedAt: number): Promise<void> {
    const rows = await select<Pick<Row, 'part'>>(
      manager,
      'SELECT part FROM sitemap_parts WHERE type_id = ? UNION SELECT part FROM sitemap_part_deltas WHERE type_id = ?',
      [typeId, typeId],
    );
    const parts = rows.map(({ part }) => ({ typeId, part: Number(part), urls: 0, changes: 1, changedAt }));
    await this.add(manager, parts);
  }

  /** Folds the oldest appended changes into the parts. Returns how many there were. */
  async fold(): Promise<number> {
    if (this.dialect.hasOneWriter) return 0; // nothing is ever appended
    return this.unitOfWork.run(async (manager) => {
      const rows = await select<Row & { readonly id: number }>(
        manager,
        `SELECT id, ${COLUMNS} FROM sitemap_part_deltas ORDER BY id LIMIT ${FOLD_BATCH}${this.dialect.lockForUpdate}`,
      );
      if (rows.length === 0) return 0;
      await this.addToRows(manager, summed(rows.map(fromRow)));
      const ids = rows.map(({ id }) => id);
      await execute(manager, `DELETE FROM sitemap_part_deltas WHERE id IN (${placeholders(ids)})`, ids);
      return rows.length;
    });
  }

  /**
   * Counts the published records of each part, and adds to its counts what they lack.
   *
   * @param now milliseconds since 1970, UTC
   * @returns what they lacked
   */
  async recount(now: number): Promise<readonly PartDrift[]> {
    const mended: PartDrift[] = [];
    for (const part of await partsIn(this.reads)) {
      if ((await driftOfPart(this.reads, part)).length > 0) mended.push(...(await this.recountPart(part, now)));
    }
    return mended;
  }

  private recountPart(part: number, changedAt: number): Promise<readonly PartDrift[]> {
    return this.unitOfWork.run(async (manager) => {
      const changed = (drifts: readonly PartDrift[]): PartCount[] =>
        drifts.map((drift) => ({ ...drift, changes: 1, changedAt }));
      // The rows are written first: a second recount sees what this one has added, and adds nothing.
      const found = await driftOfPart(readerOf(manager), part);
      await this.addToRows(manager, changed(found.map((drift) => ({ ...drift, urls: 0 }))));
      const drifts = await driftOfPart(readerOf(manager), part);
      await this.addToRows(manager, changed(drifts));
      return drifts;
    });
  }

  /** Drops what is left of types that are gone. */
  async dropAbandoned(): Promise<void> {
    const rows = await this.reads.select<Pick<Row, 'type_id'>>(
      `SELECT DISTINCT type_id FROM sitemap_parts WHERE ${isOfNoType('type_id')}`,
    );
    if (rows.length === 0) return;
    const ids = rows.map(({ type_id }) => Number(type_id));
    await this.unitOfWork.run(async (manager) => {
      await execute(manager, `DELETE FROM sitemap_parts WHERE type_id IN (${placeholders(ids)})`, ids);
    });
  }

  private async addToRows(manager: EntityManager, sums: readonly PartCount[]): Promise<void> {
    for (const sum of sums) {
      if (await this.addToRow(manager, sum)) continue;
      await execute(manager, `${this.dialect.insertOrIgnore} INTO sitemap_parts (${COLUMNS}) VALUES (?, ?, 0, 0, 0)`, [
        sum.typeId,
        sum.part,
      ]);
      await this.addToRow(manager, sum);
    }
  }

  private async addToRow(manager: EntityManager, sum: PartCount): Promise<boolean> {
    const { affected } = await execute(
      manager,
      `UPDATE sitemap_parts
          SET urls = urls + ?, changes = changes + ?, changed_at = CASE WHEN changed_at < ? THEN ? ELSE changed_at END
        WHERE type_id = ? AND part = ?`,
      [sum.urls, sum.changes, sum.changedAt, sum.changedAt, sum.typeId, sum.part],
    );
    return affected > 0;
  }
}

function fromRow(row: Row): PartCount {
  return {
    typeId: Number(row.type_id),
    part: Number(row.part),
    urls: Number(row.urls),
    changes: Number(row.changes),
    changedAt: Number(row.changed_at),
  };
}

/** One sum per part and type, in a fixed order, so that two folds cannot wait for each other. */
function summed(counts: readonly PartCount[]): readonly PartCount[] {
  const sums = new Map<string, PartCount>();
  for (const count of counts) {
    const key = `${count.part}:${count.typeId}`;
    const sum = sums.get(key) ?? { ...count, urls: 0, changes: 0 };
    sums.set(key, {
      ...count,
      urls: sum.urls + count.urls,
      changes: sum.changes + count.changes,
      changedAt: Math.max(sum.changedAt, count.changedAt),
    });
  }
  return [...sums.values()].sort((a, b) => a.part - b.part || a.typeId - b.typeId);
}

/**
 * URLs in one file of the sitemap; the protocol allows 50,000 and 50 MB.
 * Parts are ranges of as many record ids: none can ever hold too many, and a new record touches only the last one.
 */
export const PART_SIZE = 45_000;

/** The part that a record belongs to, from 1. */
export function partOf(recordId: number): number {
  return Math.floor((recordId - 1) / PART_SIZE) + 1;
}

/** The smallest record id of a part. */
export function firstIdOf(part: number): number {
  return (part - 1) * PART_SIZE + 1;
}

/** A part of a type that counts more or fewer published records than there are. */
export interface PartDrift {
  readonly typeId: number;
  readonly part: number;
  /** What has to be added. */
  readonly urls: number;
}

/** Parts of types that are gone are dropped by a job of each hour. */
const ABANDONED_LATE_MS = 2 * 3_600_000;

/** The parts that there are records or counts of. */
async function partsIn(reader: Reader): Promise<number[]> {
  const rows = await reader.select<{ part: number | string }>(
    'SELECT part FROM sitemap_parts UNION SELECT part FROM sitemap_part_deltas',
  );
  const last = partOf(await lastRecordId(reader));
  const parts = [...rows.map(({ part }) => Number(part)), ...Array.from({ length: last }, (_, n) => n + 1)];
  return [...new Set(parts)].sort((a, b) => a - b);
}

/** What is wrong with the counts of a part. One statement, so it is right whatever others write meanwhile. */
async function driftOfPart(reader: Reader, part: number): Promise<readonly PartDrift[]> {
  const rows = await reader.select<Pick<Row, 'type_id'> & { readonly d: number | string }>(
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
