import { Injectable } from '@nestjs/common';
import { isOfNoType } from '../../content-types/store/type-rows.js';
import { Reads, type Reader } from '../../database/statements/reads.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { RecordCounts, REMOVED } from '../counting/record-counts.js';

/** Types that are gone and have counters, those left out of which the records are being removed. */
export async function typesOfUnusedCounters(reader: Reader): Promise<number[]> {
  const counters = ['record_counts', 'term_counts']
    .map((table) => `SELECT type_id FROM ${table} WHERE ${isOfNoType('type_id')}`)
    .join(' UNION ');
  const rows = await reader.select<{ type_id: number | string }>(
    `SELECT type_id FROM (${counters}) counters
      WHERE type_id NOT IN (SELECT type_id FROM record_counts WHERE status = ?)
        AND type_id NOT IN (SELECT type_id FROM records) ORDER BY type_id`,
    [REMOVED],
  );
  return rows.map(({ type_id: id }) => Number(id));
}

/** Drops the counters of types that are gone. */
@Injectable()
export class UnusedCounters {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly counts: RecordCounts,
  ) {}

  /** @returns the ids of the types */
  async drop(): Promise<readonly number[]> {
    const typeIds = await typesOfUnusedCounters(this.reads);
    for (const id of typeIds) while ((await this.unitOfWork.run((manager) => this.counts.forgetSome(manager, id))) > 0);
    return typeIds;
  }
}
