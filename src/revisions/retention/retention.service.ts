import { Injectable } from '@nestjs/common';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import { Reads } from '../../database/statements/reads.js';
import { execute, placeholders } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { recordIdsAfter, typesOfRecords } from '../../records/rows/record-portions.js';

const BATCH = 500;

interface Row {
  readonly ts: number | string;
  readonly base_ts: number | string | null;
  readonly status: string;
}

/**
 * Shortens histories to what their type keeps. Several processes may do so at once, beside writers: what is dropped is
 * older than the newest keyframe, and only that one is ever packed against.
 */
@Injectable()
export class RetentionService {
  constructor(
    private readonly types: ContentTypesService,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Shortens the histories of some records. Returns how many revisions were dropped. */
  async shorten(recordIds: readonly number[]): Promise<number> {
    let dropped = 0;
    for (const { id, n } of await this.lengths(recordIds)) dropped += await this.shortenTo(id, n);
    return dropped;
  }

  /**
   * Shortens the histories of the next records by id.
   *
   * @returns the last of them; `null`: there are no more
   */
  async shortenAfter(recordId: number): Promise<number | null> {
    const ids = await recordIdsAfter(this.reads, recordId, BATCH);
    await this.shorten(ids);
    return ids.at(-1) ?? null;
  }

  /** Records that have more revisions than their type keeps, and how many those may be. */
  private async lengths(recordIds: readonly number[]): Promise<{ id: number; n: number }[]> {
    if (recordIds.length === 0) return [];
    const rows = await this.reads.select<Record<'record_id' | 'n', number | string>>(
      `SELECT record_id, COUNT(*) AS n FROM revisions WHERE record_id IN (${placeholders(recordIds)}) GROUP BY record_id`,
      recordIds,
    );
    const types = await typesOfRecords(this.reads, recordIds);
    const long: { id: number; n: number }[] = [];
    for (const { record_id: recordId, n } of rows) {
      const id = Number(recordId);
      const keep = (await this.types.byId(types.get(id) ?? 0))?.revisions.keep;
      if (keep !== undefined && Number(n) > keep) long.push({ id, n: keep });
    }
    return long;
  }

  private async shortenTo(recordId: number, keep: number): Promise<number> {
    const rows = await this.reads.select<Row>('SELECT ts, base_ts, status FROM revisions WHERE record_id = ?', [
      recordId,
    ]);
    const history = rows.map(({ ts, base_ts: baseTs, status }) => ({
      ts: Number(ts),
      baseTs: baseTs === null ? null : Number(baseTs),
      status,
    }));
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

/** What retention has to know of a revision. */
export interface Kept {
  readonly ts: number;
  readonly baseTs: number | null;
  readonly status: string;
}

/**
 * The revisions that a history of `keep` can do without. The newest one and the last published one always stay,
 * and so does the keyframe of every one that stays, however old it is.
 *
 * @param history in any order
 */
export function expired(history: readonly Kept[], keep: number): number[] {
  const newestFirst = history.toSorted((a, b) => b.ts - a.ts);
  const published = newestFirst.find(({ status }) => status === 'published');
  const stays = newestFirst.filter((one, index) => index < Math.max(1, keep) || one === published);
  const needed = new Set(stays.flatMap(({ ts, baseTs }) => (baseTs === null ? [ts] : [ts, baseTs])));
  return newestFirst.filter(({ ts }) => !needed.has(ts)).map(({ ts }) => ts);
}
