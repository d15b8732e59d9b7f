import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Dialect } from '../../database/dialect/dialect.js';
import { execute, select } from '../../database/statements/statement.js';
import { REPEATABLE, UNIT_LIMIT_MS, UnitOfWork } from '../../database/units/unit-of-work.js';

/** So long a process that was killed keeps writers away. */
const FROZEN_MS = 30_000;
const RENEWED_EVERY_MS = 10_000;
/** By then all units of work have ended that met the type before it was frozen. */
const WAIT_MS = UNIT_LIMIT_MS + 1_000;

/**
 * Keeps records of a type from being written while it is removed or changed at their cost. On one server the lock of the
 * type does that. Where several take writes, the locks that writers share end at each of them, and writers must not
 * write the row of the type: all of them would meet there. So the rare side waits (docs/adr/0031).
 */
@Injectable()
export class TypeFreezes {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly dialect: Dialect,
  ) {}

  /** Runs `work` while no record of the type is written. Writers are refused as `overloaded` meanwhile. */
  async around<Result>(typeId: number, work: () => Promise<Result>): Promise<Result> {
    if (!this.dialect.hasSeveralWriters) return work();
    let until = await this.freeze(typeId);
    const timer = setInterval(() => {
      // One that fails is made up for by the next.
      this.freeze(typeId).then(
        (later) => (until = later),
        () => undefined,
      );
    }, RENEWED_EVERY_MS);
    try {
      await sleep(WAIT_MS);
      return await work();
    } finally {
      clearInterval(timer);
      await this.thaw(typeId, until);
    }
  }

  /** @returns until when, by the clock of the database: another value than any before */
  private freeze(typeId: number): Promise<number> {
    const { now } = this.dialect;
    return this.unitOfWork.run(async (manager) => {
      const until = `GREATEST(frozen_until + 1, ${now} + ${FROZEN_MS})`;
      await execute(manager, `UPDATE content_types SET frozen_until = ${until} WHERE id = ?`, [typeId]);
      const sql = 'SELECT frozen_until AS until FROM content_types WHERE id = ?';
      const [row] = await select<{ until: number | string }>(manager, sql, [typeId]);
      return Number(row?.until ?? 0);
    }, REPEATABLE);
  }

  /** Unless another change has frozen it since. Where that fails, the type thaws by itself. */
  private async thaw(typeId: number, until: number): Promise<void> {
    const sql = 'UPDATE content_types SET frozen_until = 0 WHERE id = ? AND frozen_until = ?';
    await this.unitOfWork.run((manager) => execute(manager, sql, [typeId, until]), REPEATABLE).catch(() => undefined);
  }
}
