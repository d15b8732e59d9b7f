import { Injectable } from '@nestjs/common';
import { MoreThan, type EntityManager } from 'typeorm';
import { Dialect } from '../../database/dialect/dialect.js';
import { AgreedTime, aheadOf } from '../../database/units/agreed-time.js';
import type { Reader } from '../../database/statements/reads.js';
import { execute } from '../../database/statements/statement.js';
import { REPEATABLE, UnitOfWork } from '../../database/units/unit-of-work.js';
import { Counter } from './counter.entity.js';

/** Takes one more try of a counter, or changes no row: an `UPDATE`, its values, and the longest wait that it begins. */
export type Taking = readonly [sql: string, values: readonly (string | number)[], longestMs: number];

/** The longest window of a counter, milliseconds. */
const LONGEST_MS = 86_400_000;

/** The rows of counters, each made when it is first taken from. */
@Injectable()
export class TryCounters {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly dialect: Dialect,
    private readonly time: AgreedTime,
  ) {}

  /** @returns how many are taken now; `null`: none was left */
  take(id: string, taking: Taking): Promise<number | null> {
    return this.unitOfWork.run((manager) => this.takeWithin(manager, id, taking), REPEATABLE);
  }

  /** {@link take} as part of a unit of work. */
  async takeWithin(manager: EntityManager, id: string, taking: Taking): Promise<number | null> {
    const [sql, values, longestMs] = taking;
    if ((await execute(manager, sql, values)).affected > 0) return triesAt(manager, id);
    const insert = `${this.dialect.insertOrIgnore} INTO auth_counters (id, tries, ends_at) VALUES (?, 0, 0)`;
    const isNew = (await execute(manager, insert, [id])).affected > 0;
    if (!isNew && (await this.endAhead(manager, id, longestMs))) await execute(manager, insert, [id]);
    return (await execute(manager, sql, values)).affected > 0 ? triesAt(manager, id) : null;
  }

  /** Ends a wait that is longer than it can be. @returns whether it was */
  async endAhead(manager: EntityManager, id: string, longestMs: number): Promise<boolean> {
    if (!(await manager.existsBy(Counter, { id, endsAt: this.time.ahead(longestMs) }))) return false;
    await this.removeWithin(manager, id);
    return true;
  }

  /** {@link endAhead} as a unit of work. */
  hasEndedAhead(id: string, longestMs: number): Promise<boolean> {
    return this.unitOfWork.run((manager) => this.endAhead(manager, id, longestMs), REPEATABLE);
  }

  /** {@link endAhead} for all that are longer than any wait. @returns how many there were */
  async endAllAhead(): Promise<number> {
    const endsAt = this.time.ahead(LONGEST_MS);
    const { affected } = await this.unitOfWork.run((manager) => manager.delete(Counter, { endsAt }), REPEATABLE);
    return affected ?? 0;
  }

  read(id: string): Promise<Counter | null> {
    return this.unitOfWork.run((manager) => manager.findOneBy(Counter, { id }), REPEATABLE);
  }

  /** Gives one try back. The window ends where it was the only one. */
  async giveBack(id: string): Promise<void> {
    // MySQL assigns from left to right: `ends_at` has to look at the former `tries`.
    const less = { endsAt: () => 'CASE WHEN tries = 1 THEN 0 ELSE ends_at END', tries: () => 'tries - 1' };
    await this.unitOfWork.run((manager) => manager.update(Counter, { id, tries: MoreThan(0) }, less), REPEATABLE);
  }

  async remove(id: string): Promise<void> {
    await this.unitOfWork.run((manager) => this.removeWithin(manager, id), REPEATABLE);
  }

  /** {@link remove} as part of a unit of work. */
  async removeWithin(manager: EntityManager, id: string): Promise<void> {
    await manager.delete(Counter, { id });
  }
}

async function triesAt(manager: EntityManager, id: string): Promise<number> {
  return (await manager.findOneBy(Counter, { id }))?.tries ?? 0;
}

/** How many waits are longer than any can be, since a clock was ahead. */
export function waitsAhead(reader: Reader, dialect: Dialect, now: number): Promise<number> {
  return reader.of(Counter).countBy({ endsAt: aheadOf(dialect, now, LONGEST_MS) });
}
