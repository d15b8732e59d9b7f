import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Status } from '../../content-types/definition/content-type.js';
import { summed } from '../../database/statements/counters.js';
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
  /** 1 for one that joins, -1 for one that leaves. */
  readonly d: number;
}

interface Row {
  readonly id: number | string;
  readonly type_id: number | string;
  readonly status: string;
  readonly term_id: number | string;
  readonly d: number;
}

/** Stands for no term, but for the records themselves: terms count from 1. */
export const ALL_RECORDS = 0;

const COLUMNS = ['type_id', 'status', 'term_id', 'd'];
const BATCH = 1_000;
const ROWS_PER_INSERT = 5_000;

/**
 * Changes of counts that wait to be folded in. Where writers run side by side they append, since a row per counter
 * would make them wait for each other. One row has what each counter needs.
 */
@Injectable()
export class RecordDeltas {
  constructor(private readonly dialect: Dialect) {}

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
    if (ids.length > 0)
      await executeLater(manager, `DELETE FROM record_deltas WHERE id IN (${placeholders(ids)})`, ids);
    return rows.map((row) => ({
      typeId: Number(row.type_id),
      status: row.status as Status,
      termId: Number(row.term_id),
      d: row.d,
    }));
  }

  /** Forgets so many changes at most of a type that is gone. @returns how many */
  forgetSome(manager: EntityManager, typeId: number, atOnce: number): Promise<number> {
    const selection = { table: 'record_deltas', condition: 'type_id = ?', values: [typeId], atOnce };
    return deleteSome(manager, this.dialect, selection);
  }
}

function keyOf({ typeId, status, termId }: Delta): [number, Status, number] {
  return [typeId, status, termId];
}
