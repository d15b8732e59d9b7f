import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Batch } from '../common/batch.js';
import type { Status } from '../content-types/content-type.js';
import { Dialect } from '../database/dialect/dialect.js';
import { Reads } from '../database/reads.js';
import { execute, placeholders, select } from '../database/statement.js';
import { UnitOfWork } from '../database/unit-of-work.js';

interface Delta {
  readonly id: number;
  readonly type_id: number;
  readonly status: string;
  readonly d: number;
}

interface CountRow {
  readonly type_id: number | string;
  readonly status: string;
  readonly n: number | string;
}

const FOLD_BATCH = 1_000;

/**
 * How many records there are, without counting them.
 * Where writers run side by side a change is appended and folded in later: a row per counter would make them wait.
 */
@Injectable()
export class RecordCounts {
  /** Lists that are asked for together share a statement. */
  private readonly counts = new Batch<number, ReadonlyMap<string, number>>((typeIds) => this.countsOf(typeIds));

  constructor(
    private readonly reads: Reads,
    private readonly dialect: Dialect,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Records of a type that have one of these statuses and are not in the trash. */
  async total(typeId: number, statuses: readonly Status[]): Promise<number> {
    const counts = await this.counts.get(typeId);
    return statuses.reduce((sum, status) => sum + (counts?.get(status) ?? 0), 0);
  }

  private async countsOf(typeIds: readonly number[]): Promise<ReadonlyMap<number, ReadonlyMap<string, number>>> {
    const these = placeholders(typeIds);
    const folded = `SELECT type_id, status, n FROM record_counts WHERE type_id IN (${these})`;
    const appended = `SELECT type_id, status, SUM(d) AS n FROM record_count_deltas WHERE type_id IN (${these}) GROUP BY type_id, status`;
    const rows = this.dialect.hasOneWriter
      ? await this.reads.select<CountRow>(folded, typeIds)
      : await this.reads.select<CountRow>(`${folded} UNION ALL ${appended}`, [...typeIds, ...typeIds]);
    const counts = new Map<number, Map<string, number>>();
    for (const { type_id: typeId, status, n } of rows) {
      const ofType = counts.get(Number(typeId)) ?? new Map<string, number>();
      counts.set(Number(typeId), ofType.set(status, (ofType.get(status) ?? 0) + Number(n)));
    }
    return counts;
  }

  /** Counts a change that is part of a unit of work. */
  async add(manager: EntityManager, typeId: number, status: Status, d: number): Promise<void> {
    if (this.dialect.hasOneWriter) await this.addToRow(manager, typeId, status, d);
    else
      await execute(manager, 'INSERT INTO record_count_deltas (type_id, status, d) VALUES (?, ?, ?)', [
        typeId,
        status,
        d,
      ]);
  }

  /** Folds the oldest appended changes into the counters. Returns how many there were. */
  fold(): Promise<number> {
    return this.unitOfWork.run(async (manager) => {
      const deltas = await select<Delta>(
        manager,
        `SELECT id, type_id, status, d FROM record_count_deltas ORDER BY id LIMIT ${FOLD_BATCH}${this.dialect.lockForUpdate}`,
      );
      if (deltas.length === 0) return 0;
      for (const { type_id, status, d } of summed(deltas)) await this.addToRow(manager, type_id, status, d);
      const ids = deltas.map(({ id }) => id);
      await execute(manager, `DELETE FROM record_count_deltas WHERE id IN (${placeholders(ids)})`, ids);
      return deltas.length;
    });
  }

  private async addToRow(manager: EntityManager, typeId: number, status: string, d: number): Promise<void> {
    const update = () =>
      execute(manager, 'UPDATE record_counts SET n = n + ? WHERE type_id = ? AND status = ?', [d, typeId, status]);
    if ((await update()).affected > 0) return;
    await execute(manager, `${this.dialect.insertOrIgnore} INTO record_counts (type_id, status, n) VALUES (?, ?, 0)`, [
      typeId,
      status,
    ]);
    await update();
  }
}

/** One sum per counter, in a fixed order, so that two folds cannot wait for each other. */
function summed(deltas: readonly Delta[]): Omit<Delta, 'id'>[] {
  const sums = new Map<string, Omit<Delta, 'id'>>();
  for (const { type_id, status, d } of deltas) {
    const key = `${type_id}:${status}`;
    sums.set(key, { type_id, status, d: d + (sums.get(key)?.d ?? 0) });
  }
  return [...sums.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}
