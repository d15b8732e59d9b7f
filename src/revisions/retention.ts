import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Job } from '../common/jobs/job.decorator.js';
import { ContentTypesService } from '../content-types/store/content-types.service.js';
import { Reads } from '../database/statements/reads.js';
import { execute, placeholders } from '../database/statements/statement.js';
import { UnitOfWork } from '../database/units/unit-of-work.js';
import { recordIdsAfter, typesOfRecords } from '../records/rows/record-portions.js';

const EVERY_MS = 5_000;
/** All records are looked at when the service has run for so long, and as often again. */
const ALL_EVERY_MS = 12 * 3_600_000;
const FIRST_ALL_MS = 60_000;
/** Between two batches, so that other writers get the lock of the database. */
const PAUSE_MS = 50;
const BATCH = 500;
/** More are left to the look at all records. */
const MAX_NOTED = 100_000;

/**
 * Shortens histories to what their type keeps, in small steps. Several processes may do so at once, beside writers. What
 * is noted stays in memory: what a stop or a failure loses, the look at all records finds.
 */
@Injectable()
export class Retention {
  /** Records whose history has perhaps grown too long. */
  private noted = new Set<number>();
  private allDueAt = performance.now() + FIRST_ALL_MS;

  constructor(
    private readonly types: ContentTypesService,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  note(recordId: number): void {
    if (this.noted.size < MAX_NOTED) this.noted.add(recordId);
  }

  /** Every record may have one, since fewer revisions are kept from now on. */
  noteAll(): void {
    this.allDueAt = 0;
  }

  /** Looks at the records that were noted, and at all when it is time for that. */
  @Job({ name: 'revisions.drop-old', every: EVERY_MS, failure: 'old revisions could not be dropped' })
  async dropOld(signal?: AbortSignal): Promise<void> {
    const ids = [...this.noted];
    this.noted = new Set();
    for (let start = 0; start < ids.length && !signal?.aborted; start += BATCH) {
      await this.shorten(ids.slice(start, start + BATCH));
    }
    if (performance.now() >= this.allDueAt) await this.lookAtAll(signal);
  }

  private async lookAtAll(signal?: AbortSignal): Promise<void> {
    this.allDueAt = performance.now() + ALL_EVERY_MS;
    for (let last: number | undefined = 0; last !== undefined && !signal?.aborted;) {
      const ids: number[] = await recordIdsAfter(this.reads, last, BATCH);
      await this.shorten(ids);
      last = ids.at(-1);
      await sleep(PAUSE_MS);
    }
  }

  /** Shortens the histories of some records. @returns how many revisions were dropped */
  async shorten(recordIds: readonly number[]): Promise<number> {
    if (recordIds.length === 0) return 0;
    const rows = await this.reads.select<Record<'record_id' | 'n', number | string>>(
      `SELECT record_id, COUNT(*) AS n FROM revisions WHERE record_id IN (${placeholders(recordIds)}) GROUP BY record_id`,
      recordIds,
    );
    const types = await typesOfRecords(this.reads, recordIds);
    let dropped = 0;
    for (const { record_id: recordId, n } of rows) {
      const id = Number(recordId);
      const keep = (await this.types.byId(types.get(id) ?? 0))?.revisions.keep;
      if (keep !== undefined && Number(n) > keep) dropped += await this.shortenTo(id, keep);
    }
    return dropped;
  }

  private async shortenTo(recordId: number, keep: number): Promise<number> {
    const history = await this.reads.select<Kept>('SELECT ts, status FROM revisions WHERE record_id = ?', [recordId]);
    const all = expired(history, keep);
    for (let start = 0; start < all.length; start += BATCH) await this.drop(recordId, all.slice(start, start + BATCH));
    return all.length;
  }

  private drop(recordId: number, times: readonly number[]): Promise<unknown> {
    return this.unitOfWork.run((manager) =>
      execute(manager, `DELETE FROM revisions WHERE record_id = ? AND ts IN (${placeholders(times)})`, [
        recordId,
        ...times,
      ]),
    );
  }
}

/** The columns of a revision that retention goes by. */
interface Kept {
  readonly ts: number | string;
  readonly status: string;
}

/**
 * The revisions that a history of `keep` can do without. The newest one and the last published one always stay.
 *
 * @param history in any order
 */
export function expired(history: readonly Kept[], keep: number): number[] {
  const newestFirst = history.map(({ ts, status }) => ({ ts: Number(ts), status })).sort((a, b) => b.ts - a.ts);
  const published = newestFirst.find(({ status }) => status === 'published');
  const older = newestFirst.slice(keep).filter((one) => one !== published);
  return older.map(({ ts }) => ts);
}
