import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Dialect } from '../dialect/dialect.js';
import { execute, select } from '../statements/statement.js';
import { REPEATABLE, UNIT_LIMIT_MS, UnitOfWork } from './unit-of-work.js';

/** So long a process that was killed keeps writers away. */
const FROZEN_MS = 30_000;
const RENEWED_EVERY_MS = 10_000;
/** By then all units of work have ended that met the row before it was frozen. */
const WAIT_MS = UNIT_LIMIT_MS + 1_000;

/** A row that writers share, of a table with a column `frozen_until`. */
export interface SharedRow {
  readonly table: 'content_types' | 'taxonomies';
  readonly id: number;
}

/** What {@link frozenColumn} reads; absent where one server takes writes. */
export interface Freeze {
  readonly is_frozen?: number | string;
}

/** A further column for those who read a row that they share: whether it is frozen. Nothing where one server takes writes. */
export function frozenColumn({ hasSeveralWriters, now }: Dialect): string {
  return hasSeveralWriters ? `, frozen_until > ${now} AS is_frozen` : '';
}

export function isFrozen({ is_frozen: isFrozenNow = 0 }: Freeze): boolean {
  return Number(isFrozenNow) === 1;
}

/**
 * Keeps a row that writers share, such as a type, from being met by them while it is removed or changed at their cost. On
 * one server its lock does that. Where several take writes, the locks that writers share end at each of them, and writers
 * must not write the row: all of them would meet there. So the rare side waits (docs/adr/0031).
 */
@Injectable()
export class Freezes {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly dialect: Dialect,
  ) {}

  /** Whether locks alone do not keep writers away. */
  get areNeeded(): boolean {
    return this.dialect.hasSeveralWriters;
  }

  /**
   * Runs `work` while no unit of work that reads {@link frozenColumn} meets the row: they are refused as `overloaded`.
   *
   * @param look refuses beforehand what can be refused without keeping anything away; `work` refuses it again
   */
  async around<Result>(
    row: SharedRow,
    work: () => Promise<Result>,
    look: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<Result> {
    if (!this.areNeeded) return work();
    await look();
    let until = await this.freeze(row);
    const timer = setInterval(() => {
      // One that fails is made up for by the next.
      this.freeze(row).then(
        (later) => (until = later),
        () => undefined,
      );
    }, RENEWED_EVERY_MS);
    try {
      await sleep(WAIT_MS);
      return await work();
    } finally {
      clearInterval(timer);
      await this.thaw(row, until);
    }
  }

  /** @returns until when, by the clock of the database: another value than any before */
  private freeze({ table, id }: SharedRow): Promise<number> {
    const next = `${this.dialect.now} + ${FROZEN_MS}`;
    return this.unitOfWork.run(async (manager) => {
      const until = `CASE WHEN frozen_until < ${next} THEN ${next} ELSE frozen_until + 1 END`;
      await execute(manager, `UPDATE ${table} SET frozen_until = ${until} WHERE id = ?`, [id]);
      const sql = `SELECT frozen_until AS until FROM ${table} WHERE id = ?`;
      const [row] = await select<{ until: number | string }>(manager, sql, [id]);
      return Number(row?.until ?? 0);
    }, REPEATABLE);
  }

  /** Unless another change has frozen it since. Where that fails, the row thaws by itself. */
  private async thaw({ table, id }: SharedRow, until: number): Promise<void> {
    const sql = `UPDATE ${table} SET frozen_until = 0 WHERE id = ? AND frozen_until = ?`;
    await this.unitOfWork.run((manager) => execute(manager, sql, [id, until]), REPEATABLE).catch(() => undefined);
  }
}
