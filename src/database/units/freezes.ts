import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { overloaded } from '../../common/errors/overloaded.js';
import { Dialect } from '../dialect/dialect.js';
import { execute, placeholders, select } from '../statements/statement.js';
import { EarlierUnits } from './earlier-units.js';
import { fenceOfWork, withFence } from './fence.js';
import { REPEATABLE, UnitOfWork } from './unit-of-work.js';

/** How long a freeze outlasts its last renewal, as after a process was killed. */
const FROZEN_MS = 30_000;
const RENEWED_EVERY_MS = 10_000;

/** Rows that writers share, of a table with a column `frozen_until`. */
export interface SharedRows {
  readonly table: 'content_types' | 'taxonomies';
  readonly ids: readonly number[];
}

/** When freezes end by the clock of the database, by the id of the row: values that no freeze of it before had. */
type Ends = ReadonlyMap<number, number>;

interface FrozenRow {
  readonly id: number | string;
  readonly until: number | string;
}

/** The value of {@link frozenColumn}; absent where one server takes writes. */
export interface Freeze {
  readonly is_frozen?: number | string;
}

/** A further column of a statement that reads a shared row: whether it is frozen. Empty where one server takes writes. */
export function frozenColumn({ hasSeveralWriters, now }: Dialect): string {
  return hasSeveralWriters ? `, frozen_until > ${now} AS is_frozen` : '';
}

export function isFrozen({ is_frozen: flag = 0 }: Freeze): boolean {
  return Number(flag) === 1;
}

/**
 * Keeps rows that writers share, such as types, from being met by them while they are removed or changed at their cost.
 * On one server their locks do that. Where several take writes, the locks that writers share end at each of them, and
 * writers must not write the rows: all of them would meet there. So the rare side waits (docs/adr/0031).
 */
@Injectable()
export class Freezes {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly dialect: Dialect,
    private readonly earlierUnits: EarlierUnits,
  ) {}

  /** Whether locks alone do not keep writers away. */
  get areNeeded(): boolean {
    return this.dialect.hasSeveralWriters;
  }

  /**
   * Runs `work` while the rows are frozen: units of work that read {@link frozenColumn} are refused as `overloaded`. It
   * takes as long for many rows as for one.
   *
   * @param look refuses beforehand what can be refused without a freeze; `work` has to check it again
   * @throws {DomainError} `overloaded`: a row was not frozen all the time, since this process stood still, or since
   *   another change has thawed it
   */
  async around<Result>(
    rows: SharedRows,
    work: () => Promise<Result>,
    look: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<Result> {
    if (!this.areNeeded || rows.ids.length === 0) return work();
    await look();
    let ends = await this.freeze(rows);
    let renewal: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      // The next renewal makes up for a failed one.
      renewal = this.renew(rows, ends).then(
        (later) => (ends = later),
        () => undefined,
      );
    }, RENEWED_EVERY_MS);
    try {
      await this.earlierUnits.ended();
      return await withFence(this.fence(rows), work);
    } finally {
      clearInterval(timer);
      // It may be committed already, and its ends are needed to thaw the rows.
      await renewal;
      await this.thaw(rows, ends);
    }
  }

  private freeze({ table, ids }: SharedRows): Promise<Ends> {
    return this.unitOfWork.run(async (manager) => {
      const these = `id IN (${placeholders(ids)})`;
      await execute(manager, `UPDATE ${table} SET frozen_until = ${this.nextEnd()} WHERE ${these}`, ids);
      const sql = `SELECT id, frozen_until AS until FROM ${table} WHERE ${these}`;
      return endsOf(await select<FrozenRow>(manager, sql, ids));
    }, REPEATABLE);
  }

  /** A freeze that has ended, or that another change has put its own in the place of, is not renewed. */
  private renew({ table }: SharedRows, ends: Ends): Promise<Ends> {
    const own = `id = ? AND frozen_until = ? AND frozen_until > ${this.dialect.now}`;
    return this.unitOfWork.run(async (manager) => {
      const later = new Map(ends);
      for (const [id, until] of ends) {
        const sql = `UPDATE ${table} SET frozen_until = ${this.nextEnd()} WHERE ${own}`;
        if ((await execute(manager, sql, [id, until])).affected === 0) continue;
        const read = `SELECT id, frozen_until AS until FROM ${table} WHERE id = ?`;
        for (const end of endsOf(await select<FrozenRow>(manager, read, [id]))) later.set(...end);
      }
      return later;
    }, REPEATABLE);
  }

  private nextEnd(): string {
    const next = `${this.dialect.now} + ${FROZEN_MS}`;
    return `CASE WHEN frozen_until < ${next} THEN ${next} ELSE frozen_until + 1 END`;
  }

  private fence(rows: SharedRows): (manager: EntityManager) => Promise<void> {
    const outer = fenceOfWork();
    return async (manager) => {
      await outer?.(manager);
      await this.requireFrozen(manager, rows);
    };
  }

  /** A row that is gone was removed by the work itself, or before it. @throws {DomainError} `overloaded` */
  private async requireFrozen(manager: EntityManager, { table, ids }: SharedRows): Promise<void> {
    const sql = `SELECT id${frozenColumn(this.dialect)} FROM ${table} WHERE id IN (${placeholders(ids)})`;
    const rows = await select<Freeze>(manager, sql, ids);
    if (!rows.every(isFrozen)) throw overloaded('The change could not keep others away.');
  }

  /** Ends the freezes, but where another change has frozen the row since. If that fails, they end by themselves. */
  private async thaw({ table }: SharedRows, ends: Ends): Promise<void> {
    const sql = `UPDATE ${table} SET frozen_until = 0 WHERE id = ? AND frozen_until = ?`;
    const work = async (manager: EntityManager): Promise<void> => {
      for (const [id, until] of ends) await execute(manager, sql, [id, until]);
    };
    await this.unitOfWork.run(work, REPEATABLE).catch(() => undefined);
  }
}

function endsOf(rows: readonly FrozenRow[]): Ends {
  return new Map(rows.map(({ id, until }) => [Number(id), Number(until)]));
}
