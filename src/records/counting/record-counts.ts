import type { StatusCount } from '../../content-types/store/type-usage.port.js';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { BatchLoader } from '../../common/concurrency/batch-loader.js';
import type { Status } from '../../content-types/definition/content-type.js';
import { Counters, summed, type CounterChange } from '../../database/statements/counters.js';
import { deleteSome } from '../../database/statements/deletion.js';
import { executeLater, insertRows } from '../../database/statements/statement-queue.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { Reads } from '../../database/statements/reads.js';
import { placeholders, select } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';

/** A record that joins those of a status of a type, or leaves them. */
export interface CountChange {
  readonly typeId: number;
  readonly status: Status;
  /** Ids of the terms that it holds. */
  readonly terms: readonly number[];
  /** 1 for one that joins, -1 for one that leaves. */
  readonly d: number;
}

/** The same of one counter: that of the records of a type and status, or of those among them that hold a term. */
interface Delta {
  readonly key: readonly [typeId: number, status: Status, termId: number];
  readonly d: number;
}

interface CountRow {
  readonly type_id: number | string;
  readonly status: string;
  readonly n: number | string;
}

interface TermCountRow extends CountRow {
  readonly term_id: number | string;
}

interface DeltaRow extends Omit<TermCountRow, 'n'> {
  readonly id: number | string;
  readonly d: number;
}

/** Records that hold a term, by type and status. */
export interface TermCount extends StatusCount {
  readonly termId: number;
}

/** In the place of a status: the type was deleted, and its records are being removed. */
export const REMOVED = 'removed';

/** Stands for no term, but for the records themselves: terms count from 1. */
export const ALL_RECORDS = 0;

const DELTA_COLUMNS = 'type_id, status, term_id, d';
const FOLDED_AT_ONCE = 1_000;
/** Rows of counters that a unit of work removes. */
const FORGOTTEN_AT_ONCE = 5_000;

/**
 * Counters of records, and of records that hold a term, kept without counting them. If writers run side by side
 * they append their changes to `record_deltas`, since a row per counter would make them wait for each other; a job folds
 * these into the counters.
 */
@Injectable()
export class RecordCounts {
  private readonly records: Counters;
  private readonly terms: Counters;
  /** Lists that are asked for together share a statement. */
  private readonly counts = new BatchLoader<number, ReadonlyMap<string, number>>((typeIds) => this.countsOf(typeIds));

  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly dialect: Dialect,
  ) {
    this.records = new Counters('record_counts', ['type_id', 'status'], dialect);
    this.terms = new Counters('term_counts', ['term_id', 'type_id', 'status'], dialect);
  }

  /** Records of a type that have one of these statuses and are not in the trash. */
  async total(typeId: number, statuses: readonly Status[]): Promise<number> {
    const counts = await this.counts.get(typeId);
    return statuses.reduce((sum, status) => sum + (counts?.get(status) ?? 0), 0);
  }

  /** Records of all types, those in the trash left out. */
  async all(): Promise<readonly StatusCount[]> {
    const rows = await this.reads.select<CountRow>(
      `SELECT type_id, status, SUM(n) AS n
         FROM (SELECT type_id, status, n FROM record_counts
               UNION ALL SELECT type_id, status, d FROM record_deltas WHERE term_id = ${ALL_RECORDS}) AS parts
        GROUP BY type_id, status`,
    );
    return rows.map(statusCount);
  }

  /** Records outside the trash that hold one of these terms. */
  async ofTerms(termIds: readonly number[]): Promise<readonly TermCount[]> {
    if (termIds.length === 0) return [];
    const these = `term_id IN (${placeholders(termIds)})`;
    const rows = await this.reads.select<TermCountRow>(
      `SELECT term_id, type_id, status, n FROM term_counts WHERE ${these}
       UNION ALL
       SELECT term_id, type_id, status, SUM(d) FROM record_deltas WHERE ${these} GROUP BY term_id, type_id, status`,
      [...termIds, ...termIds],
    );
    return rows.map((row) => Object.assign(statusCount(row), { termId: Number(row.term_id) }));
  }

  /** Counts changes that are part of a unit of work. */
  async add(manager: EntityManager, changes: readonly CountChange[]): Promise<void> {
    const deltas: Delta[] = [];
    for (const { typeId, status, terms, d } of changes) {
      for (const termId of [ALL_RECORDS, ...terms]) deltas.push({ key: [typeId, status, termId], d });
    }
    if (this.dialect.hasOneWriter) return this.count(manager, deltas);
    const rows = summed(deltas).map(({ key, d }) => [...key, d]);
    await insertRows(manager, `INSERT INTO record_deltas (${DELTA_COLUMNS})`, rows);
  }

  /** Folds the oldest appended changes into the counters. Returns how many there were. */
  fold(): Promise<number> {
    return this.unitOfWork.run(async (manager) => {
      const rows = await select<DeltaRow>(
        manager,
        `SELECT id, ${DELTA_COLUMNS} FROM record_deltas ORDER BY id LIMIT ${FOLDED_AT_ONCE}${this.dialect.lockForUpdate}`,
      );
      if (rows.length === 0) return 0;
      const ids = rows.map(({ id }) => id);
      await executeLater(manager, `DELETE FROM record_deltas WHERE id IN (${placeholders(ids)})`, ids);
      const deltas = rows.map(({ type_id, status, term_id, d }): Delta => {
        return { key: [Number(type_id), status as Status, Number(term_id)], d };
      });
      await this.count(manager, deltas);
      return rows.length;
    });
  }

  /**
   * Forgets some of what was counted of a type that is gone.
   *
   * @returns how many rows, 0: all of them are gone with this unit of work
   */
  async forgetSome(manager: EntityManager, typeId: number): Promise<number> {
    const type = { sql: 'type_id = ?', values: [typeId] };
    const tables: readonly ((most: number) => Promise<number>)[] = [
      // Appended changes go first: folding them in would bring the counters back.
      (atOnce) =>
        deleteSome(manager, this.dialect, { table: 'record_deltas', condition: type.sql, values: [typeId], atOnce }),
      (most) => this.terms.removeSome(manager, type, most),
      // At the end, since one of them says that something is left.
      (most) => this.records.removeSome(manager, type, most),
    ];
    let forgotten = 0;
    for (const forget of tables) {
      forgotten += await forget(FORGOTTEN_AT_ONCE - forgotten);
      if (forgotten === FORGOTTEN_AT_ONCE) return forgotten;
    }
    return 0;
  }

  private async count(manager: EntityManager, deltas: readonly Delta[]): Promise<void> {
    const [ofRecords, ofTerms]: [CounterChange[], CounterChange[]] = [[], []];
    for (const { key, d } of deltas) {
      const [typeId, status, termId] = key;
      if (termId === ALL_RECORDS) ofRecords.push({ key: [typeId, status], d });
      else ofTerms.push({ key: [termId, typeId, status], d });
    }
    await this.records.add(manager, ofRecords);
    await this.terms.add(manager, ofTerms);
  }

  private async countsOf(typeIds: readonly number[]): Promise<ReadonlyMap<number, ReadonlyMap<string, number>>> {
    const these = `type_id IN (${placeholders(typeIds)})`;
    const folded = `SELECT type_id, status, n FROM record_counts WHERE ${these}`;
    const appended = `SELECT type_id, status, SUM(d) FROM record_deltas
                       WHERE term_id = ${ALL_RECORDS} AND ${these} GROUP BY type_id, status`;
    const rows = this.dialect.hasOneWriter
      ? await this.reads.select<CountRow>(folded, typeIds)
      : await this.reads.select<CountRow>(`${folded} UNION ALL ${appended}`, [...typeIds, ...typeIds]);
    const counts = new Map<number, Map<string, number>>();
    for (const { typeId, status, n } of rows.map(statusCount)) {
      const ofType = counts.get(typeId) ?? new Map<string, number>();
      counts.set(typeId, ofType.set(status, (ofType.get(status) ?? 0) + n));
    }
    return counts;
  }
}

function statusCount({ type_id: typeId, status, n }: CountRow): StatusCount {
  return { typeId: Number(typeId), status: status as Status, n: Number(n) };
}
