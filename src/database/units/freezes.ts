import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { overloaded } from '../../common/errors/overloaded.js';
import { Dialect } from '../dialect/dialect.js';
import { execute, select } from '../statements/statement.js';
import { fenceOfWork, withFence } from './fence.js';
import { REPEATABLE, UNIT_LIMIT_MS, UnitOfWork } from './unit-of-work.js';

/** How long a freeze outlasts its last renewal, as after a process was killed. */
const FROZEN_MS = 30_000;
const RENEWED_EVERY_MS = 10_000;
/** By then all units of work of requests have ended that read the row before it was frozen; others have no limit. */
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

/** A further column of a statement that reads a shared row: whether it is frozen. Empty where one server takes writes. */
export function frozenColumn({ hasSeveralWriters, now }: Dialect): string {
  return hasSeveralWriters ? `, frozen_until > ${now} AS is_frozen` : '';
}

export function isFrozen({ is_frozen: flag = 0 }: Freeze): boolean {
  return Number(flag) === 1;
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
   * Runs `work` while the row is frozen: units of work that read {@link frozenColumn} are refused as `overloaded`.
   *
   * @param look refuses beforehand what can be refused without a freeze; `work` has to check it again
   * @throws {DomainError} `overloaded`: the row was not frozen all the time, since this process stood still, or since
   *   another change has thawed it
   */
  async around<Result>(
    row: SharedRow,
    work: () => Promise<Result>,
    look: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<Result> {
    if (!this.areNeeded) return work();
    await look();
    let until = (await this.freeze(row)) ?? 0;
    let renewal: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      // The next renewal makes up for a failed one.
      renewal = this.freeze(row, until).then(
        (later) => (until = later ?? until),
        () => undefined,
      );
    }, RENEWED_EVERY_MS);
    const outer = fenceOfWork();
    const fence = async (manager: EntityManager): Promise<void> => {
      await outer?.(manager);
      await this.requireFrozen(manager, row);
    };
    try {
      await sleep(WAIT_MS);
      return await withFence(fence, work);
    } finally {
      clearInterval(timer);
      // It may be committed already, and its end is needed to thaw the row.
      await renewal;
      await this.thaw(row, until);
    }
  }

  /**
   * @param before the end of the freeze that is renewed; without it one begins. A freeze that has ended is not renewed
   * @returns its end by the clock of the database, a value that no freeze before had; `null`: the row is not frozen
   */
  private freeze({ table, id }: SharedRow, before?: number): Promise<number | null> {
    const { now } = this.dialect;
    const next = `${now} + ${FROZEN_MS}`;
    const until = `CASE WHEN frozen_until < ${next} THEN ${next} ELSE frozen_until + 1 END`;
    const [renewed, values] =
      before === undefined ? ['', []] : [` AND frozen_until = ? AND ? > ${now}`, [before, before]];
    return this.unitOfWork.run(async (manager) => {
      const sql = `UPDATE ${table} SET frozen_until = ${until} WHERE id = ?${renewed}`;
      if ((await execute(manager, sql, [id, ...values])).affected === 0) return null;
      const read = `SELECT frozen_until AS until FROM ${table} WHERE id = ?`;
      const [row] = await select<{ until: number | string }>(manager, read, [id]);
      return Number(row?.until ?? 0);
    }, REPEATABLE);
  }

  /** A row that is gone was removed by the work itself, or before it. @throws {DomainError} `overloaded` */
  private async requireFrozen(manager: EntityManager, { table, id }: SharedRow): Promise<void> {
    const sql = `SELECT id${frozenColumn(this.dialect)} FROM ${table} WHERE id = ?`;
    const [row] = await select<Freeze>(manager, sql, [id]);
    if (row && !isFrozen(row)) throw overloaded('The change could not keep others away.');
  }

  /** Ends the freeze, unless another change has frozen the row since. If that fails, it ends by itself. */
  private async thaw({ table, id }: SharedRow, until: number): Promise<void> {
    const sql = `UPDATE ${table} SET frozen_until = 0 WHERE id = ? AND frozen_until = ?`;
    await this.unitOfWork.run((manager) => execute(manager, sql, [id, until]), REPEATABLE).catch(() => undefined);
  }
}
