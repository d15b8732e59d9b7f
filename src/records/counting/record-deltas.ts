import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Status } from '../../content-types/definition/content-type.js';
import { Counters, summed } from '../../database/statements/counters.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { placeholders, select } from '../../database/statements/statement.js';
import { deleteSome } from '../../database/statements/deletion.js';
import { executeLater } from '../../database/statements/statement-queue.js';

/** Records that join those of a status of a type, or leave them. */
export interface Delta {
  readonly typeId: number;
  readonly status: Status;
  /** A term that the records hold, or {@link ALL_RECORDS}. */
  readonly termId: number;
  /** When the records were created. Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  /** 1 for one that joins, -1 for one that leaves. */
  readonly d: number;
}

interface Row {
  readonly id: number | string;
  readonly type_id: number | string;
  readonly status: string;
  readonly term_id: number | string;
  readonly created_at: number | string;
  readonly d: number;
}

/** Stands for no term, but for the records themselves: terms count from 1. */
export const ALL_RECORDS = 0;

/**
 * As long as it answers the same, no count has changed where changes are appended: it counts how often rows were taken
 * out, and between two of these times rows are only added.
 */
export const COUNTS_MARK = `SELECT (SELECT SUM(n) FROM record_folds) AS folds, COUNT(*) AS waiting FROM record_deltas`;

const THE_ROW = 1;
const COLUMNS = ['type_id', 'status', 'term_id', 'created_at', 'd'];
const BATCH = 1_000;
const ROWS_PER_INSERT = 5_000;

/**
 * Changes of counts that wait to be folded in. Where writers run side by side they append, since a row per counter
 * would make them wait for each other. One row has what each counter needs.
 */
@Injectable()
export class RecordDeltas {
  private readonly folds: Counters;

  constructor(private readonly dialect: Dialect) {
    this.folds = new Counters('record_folds', ['id'], dialect);
  }

  async append(manager: EntityManager, deltas: readonly Delta[]): Promise<void> {
    const sums = summed(deltas.map((delta) => ({ ...delta, key: keyOf(delta) })));
    for (let start = 0; start < sums.length; start += ROWS_PER_INSERT) {
      const some = sums.slice(start, start + ROWS_PER_INSERT);
      const rows = some.map(() => `(${placeholders(COLUMNS)})`).join(', ');
      await executeLater(
        manager,
        `INSERT INTO record_deltas (${COLUMNS.join(', ')}) VALUES ${rows}`,
        some.flatMap(({ key, d }) => [...key, d]),
      );
    }
  }

  /** Takes out the oldest changes, to be added up. */
  async take(manager: EntityManager): Promise<readonly Delta[]> {
    const rows = await select<Row>(
      manager,
      `SELECT id, ${COLUMNS.join(', ')} FROM record_deltas ORDER BY id LIMIT ${BATCH}${this.dialect.lockForUpdate}`,
    );
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) {
      await executeLater(manager, `DELETE FROM record_deltas WHERE id IN (${placeholders(ids)})`, ids);
      await this.noteChange(manager);
    }
    return rows.map((row) => ({
      typeId: Number(row.type_id),
      status: row.status as Status,
      termId: Number(row.term_id),
      createdAt: Number(row.created_at),
      d: row.d,
    }));
  }

  /** Forgets so many changes at most of a type that is gone. @returns how many */
  async forgetSome(manager: EntityManager, typeId: number, atOnce: number): Promise<number> {
    const selection = { table: 'record_deltas', condition: 'type_id = ?', values: [typeId], atOnce };
    const forgotten = await deleteSome(manager, this.dialect, selection);
    await this.noteChange(manager);
    return forgotten;
  }

  /** Notes that counters change otherwise than by deltas that are added ({@link COUNTS_MARK}). One unit at a time does. */
  noteChange(manager: EntityManager): Promise<void> {
    return this.folds.add(manager, [{ key: [THE_ROW], d: 1 }]);
  }
}

function keyOf({ typeId, status, termId, createdAt }: Delta): [number, Status, number, number] {
  return [typeId, status, termId, createdAt];
}
