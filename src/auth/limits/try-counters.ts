import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Dialect } from '../../database/dialect/dialect.js';
import { execute, select } from '../../database/statements/statement.js';
import { REPEATABLE, UnitOfWork } from '../../database/units/unit-of-work.js';

/** A counter as it stands. */
interface Counter {
  readonly tries: number | string;
  /** When its window or its wait ends: milliseconds since 1970, UTC. */
  readonly ends_at: number | string;
}

/** Takes one more try of a counter, or changes no row: an `UPDATE`, and its values. */
export type Taking = readonly [sql: string, values: readonly (string | number)[]];

/** The rows of counters, each made when it is first taken from. */
@Injectable()
export class TryCounters {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly dialect: Dialect,
  ) {}

  /** @returns how many are taken now; `null`: none was left */
  take(id: string, taking: Taking): Promise<number | null> {
    return this.unitOfWork.run((manager) => this.takeWithin(manager, id, taking), REPEATABLE);
  }

  /** {@link take} as part of a unit of work. */
  async takeWithin(manager: EntityManager, id: string, taking: Taking): Promise<number | null> {
    if ((await execute(manager, ...taking)).affected > 0) return triesAt(manager, id);
    await execute(manager, `${this.dialect.insertOrIgnore} INTO auth_counters (id, tries, ends_at) VALUES (?, 0, 0)`, [
      id,
    ]);
    return (await execute(manager, ...taking)).affected > 0 ? triesAt(manager, id) : null;
  }

  read(id: string): Promise<Counter | undefined> {
    return this.unitOfWork.run((manager) => counterAt(manager, id), REPEATABLE);
  }

  /** Gives one try back. The window ends where it was the only one. */
  async giveBack(id: string): Promise<void> {
    // MySQL assigns from left to right: `ends_at` has to look at the former `tries`.
    const sql =
      'UPDATE auth_counters SET ends_at = CASE WHEN tries = 1 THEN 0 ELSE ends_at END, tries = tries - 1 ' +
      'WHERE id = ? AND tries > 0';
    await this.unitOfWork.run((manager) => execute(manager, sql, [id]), REPEATABLE);
  }

  async remove(id: string): Promise<void> {
    await this.unitOfWork.run((manager) => this.removeWithin(manager, id), REPEATABLE);
  }

  /** {@link remove} as part of a unit of work. */
  async removeWithin(manager: EntityManager, id: string): Promise<void> {
    await execute(manager, 'DELETE FROM auth_counters WHERE id = ?', [id]);
  }
}

async function triesAt(manager: EntityManager, id: string): Promise<number> {
  return Number((await counterAt(manager, id))?.tries ?? 0);
}

async function counterAt(manager: EntityManager, id: string): Promise<Counter | undefined> {
  const [row] = await select<Counter>(manager, 'SELECT tries, ends_at FROM auth_counters WHERE id = ?', [id]);
  return row;
}
