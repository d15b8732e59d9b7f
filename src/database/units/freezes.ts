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
    let isRenewing = false;
    const renew = async (): Promise<void> => {
      isRenewing = true;
      // The next renewal makes up for a failed one.
      ends = await this.renew(rows, ends).catch(() => ends);
      isRenewing = false;
    };
    const timer = setInterval(() => {
      // One at a time, since each needs the ends of the one before.
      if (!isRenewing) renewal = renew();
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
    return this.unitOfWork.run((manager) => this.extend(manager, table, ids), REPEATABLE);
  }

  /** A freeze that has ended, or that another change has put its own in the place of, is not renewed. */
  private renew({ table }: SharedRows, ends: Ends): Promise<Ends> {
    const { now, lockForUpdate } = this.dialect;
    return this.unitOfWork.run(async (manager) => {
      const later = new Map(ends);
      for (const [until, ids] of idsByEnd(ends)) {
        const own = `id IN (${placeholders(ids)}) AND frozen_until = ? AND frozen_until > ${now}`;
        const held = `SELECT id FROM ${table} WHERE ${own} ORDER BY id${lockForUpdate}`;
        const kept = (await select<Pick<FrozenRow, 'id'>>(manager, held, [...ids, until])).map(({ id }) => Number(id));
        if (kept.length === 0) continue;
        for (const end of await this.extend(manager, table, kept)) later.set(...end);
      }
      return later;
    }, REPEATABLE);
  }

  /** Freezes rows from now on, those that are frozen for longer. */
  private async extend(manager: EntityManager, table: SharedRows['table'], ids: readonly number[]): Promise<Ends> {
    const these = `id IN (${placeholders(ids)})`;
    await execute(manager, `UPDATE ${table} SET frozen_until = ${this.nextEnd()} WHERE ${these}`, ids);
    const sql = `SELECT id, frozen_until AS until FROM ${table} WHERE ${these}`;
    return endsOf(await select<FrozenRow>(manager, sql, ids));
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
    const work = async (manager: EntityManager): Promise<void> => {
      for (const [until, ids] of idsByEnd(ends)) {
        const own = `id IN (${placeholders(ids)}) AND frozen_until = ?`;
        await execute(manager, `UPDATE ${table} SET frozen_until = 0 WHERE ${own}`, [...ids, until]);
      }
    };
    await this.unitOfWork.run(work, REPEATABLE).catch(() => undefined);
  }
}

function endsOf(rows: readonly FrozenRow[]): Ends {
  return new Map(rows.map(({ id, until }) => [Number(id), Number(until)]));
}

/** Rows that are frozen together mostly end together. */
function idsByEnd(ends: Ends): ReadonlyMap<number, readonly number[]> {
  const all = new Map<number, number[]>();
  for (const [id, until] of ends) {
    const ids = all.get(until);
    if (ids) ids.push(id);
    else all.set(until, [id]);
  }
  return all;
}
