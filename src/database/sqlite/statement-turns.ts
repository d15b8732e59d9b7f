import { setImmediate as nextTurn } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';
import { gatherLateWrites, isOwedTo, writeOwed } from '../statements/late-writes.js';

/** Milliseconds that statements may take one after the other before anything else of the process has its turn. */
const TURN_MS = 8;

const all = new WeakMap<QueryRunner, StatementTurns>();

/**
 * SQLite works in the thread that answers requests, and what awaits one of its statements goes on at once: without a
 * pause a unit of a thousand statements would be one long one. So between two statements of a transaction sockets and
 * timers have their turn, once those before have taken some milliseconds.
 */
export class StatementTurns {
  private since = performance.now();

  private constructor(query: QueryRunner['query'], runner: QueryRunner) {
    gatherLateWrites(runner);
    const behindOthers = async (...statement: Parameters<QueryRunner['query']>): Promise<unknown> => {
      await this.giveWay();
      await writeOwed(runner, statement[0]);
      return query(...statement);
    };
    // Most statements have nothing to wait for, and each promise costs as much as a small statement takes.
    const inTurns = (...statement: Parameters<QueryRunner['query']>): Promise<unknown> =>
      this.isOver() || isOwedTo(runner, statement[0]) ? behindOthers(...statement) : query(...statement);
    Object.assign(runner, { query: inTurns });
  }

  /** Of the connection: from now on all statements of it give way. */
  static of(runner: QueryRunner): StatementTurns {
    const known = all.get(runner);
    if (known) return known;
    const turns = new StatementTurns(runner.query.bind(runner), runner);
    all.set(runner, turns);
    return turns;
  }

  /** Nothing has been done yet in this turn of the event loop. */
  begin(): void {
    this.since = performance.now();
  }

  /** Lets others have their turn, if it is time for that. */
  async giveWay(): Promise<void> {
    if (!this.isOver()) return;
    await nextTurn();
    this.begin();
  }

  private isOver(): boolean {
    return performance.now() - this.since >= TURN_MS;
  }
}
