import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CoalescedRuns } from '../common/concurrency/coalesced-runs.js';
import { isTime } from '../common/text/time-text.js';
import { Reads } from '../database/statements/reads.js';
import { UnitOfWork } from '../database/units/unit-of-work.js';
import { RECORD_ROWS, recordIdsAfter } from '../records/rows/record-portions.js';
import {
  RecordListeners,
  type RecordChange,
  type RecordListener,
  type RemovedRecord,
} from '../records/writing/record-listeners.js';

/** The published records of one type in one part of the sitemap. */
export interface PartCount {
  readonly typeId: number;
  readonly part: number;
  /** Published records. */
  readonly urls: number;
  /** The newest change, milliseconds since 1970, UTC; `null`: not known. */
  readonly changedAt: number | null;
  /** Differs after each change of a published record. */
  readonly mark: string;
}

/** MySQL and MariaDB hand sums out as text. */
interface Row {
  readonly type_id: number | string;
  readonly urls: number | string;
  readonly changed_at: number | string;
  readonly versions: number | string;
  readonly ids: number | string;
}

interface KeptPart {
  readonly counts: Promise<readonly PartCount[]>;
  /** On the clock of `performance.now`. */
  readonly until: number;
}

/** The time for which a part is shown as it was, if only other processes have written in it. */
const KEPT_MS = 60_000;

/** Counts the published records of each part of the sitemap, and keeps what it has found until this process writes there. */
@Injectable()
export class PartCounts implements RecordListener, OnModuleInit {
  private readonly kept = new Map<number, KeptPart>();
  private readonly shared = new CoalescedRuns<readonly PartCount[]>();

  constructor(
    private readonly reads: Reads,
    private readonly listeners: RecordListeners,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.listeners.add(this);
  }

  written(_: EntityManager, changes: readonly RecordChange[]): Promise<void> {
    const ids: number[] = [];
    for (const { id, before, after } of changes) {
      if (before?.status === 'published' || after.status === 'published') ids.push(id);
    }
    return this.changed(ids);
  }

  trashed(_: EntityManager, records: readonly RemovedRecord[]): Promise<void> {
    return this.changed(records.filter(({ status }) => status === 'published').map(({ id }) => id));
  }

  /** A record that was in the trash was in no part already. */
  removed(manager: EntityManager, records: readonly RemovedRecord[]): Promise<void> {
    return this.trashed(
      manager,
      records.filter(({ wasTrashed }) => !wasTrashed),
    );
  }

  /** All parts of all types. */
  all(): Promise<readonly PartCount[]> {
    return this.shared.run('all', async () => {
      const all: PartCount[] = [];
      for (let part = 0; ;) {
        const [next] = await recordIdsAfter(this.reads, firstIdOf(part + 1) - 1, 1);
        if (next === undefined) return all;
        part = partOf(next);
        all.push(...(await this.ofPart(part)));
      }
    });
  }

  /** Has the parts of records counted again once their write is committed. */
  private changed(ids: readonly number[]): Promise<void> {
    if (ids.length > 0) {
      this.unitOfWork.afterCommit(() => {
        for (const id of ids) this.kept.delete(partOf(id));
      });
    }
    return Promise.resolve();
  }

  private ofPart(part: number): Promise<readonly PartCount[]> {
    const known = this.kept.get(part);
    if (known && performance.now() < known.until) return known.counts;
    const counts = this.counted(part);
    this.kept.set(part, { counts, until: performance.now() + KEPT_MS });
    counts.catch(() => this.kept.delete(part));
    return counts;
  }

  private async counted(part: number): Promise<readonly PartCount[]> {
    const rows = await this.reads.selectLong<Row>(
      `SELECT r.type_id, COUNT(*) AS urls, MAX(r.updated_at) AS changed_at, SUM(r.version) AS versions, SUM(r.id) AS ids
         FROM ${RECORD_ROWS}
        WHERE r.id >= ? AND r.id < ? AND r.status = 'published' AND r.trashed_at = 0
        GROUP BY r.type_id ORDER BY r.type_id`,
      [firstIdOf(part), firstIdOf(part + 1)],
    );
    return rows.map(({ type_id: typeId, urls, changed_at: at, versions, ids }) => ({
      typeId: Number(typeId),
      part,
      urls: Number(urls),
      changedAt: isTime(Number(at)) ? Number(at) : null,
      mark: [urls, at, versions, ids].join(),
    }));
  }
}

/**
 * URLs in one file of the sitemap; the protocol allows 50,000 and 50 MB.
 * Parts are ranges of as many record ids: none can ever hold too many, and a new record touches only the last one.
 */
export const PART_SIZE = 45_000;

/** The part that a record belongs to, from 1. */
function partOf(recordId: number): number {
  return Math.floor((recordId - 1) / PART_SIZE) + 1;
}

/** The smallest record id of a part. */
export function firstIdOf(part: number): number {
  return (part - 1) * PART_SIZE + 1;
}
