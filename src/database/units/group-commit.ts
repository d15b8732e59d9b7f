import { AsyncResource } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import type { EntityManager, QueryRunner } from 'typeorm';
import { overloaded } from '../../common/errors/overloaded.js';
import { isRetryable } from '../dialect/database-error.js';
import { dropOwed, writeOwed } from '../statements/late-writes.js';

/** Work that waits for its turn, with the two ends of its promise. */
interface Waiting {
  readonly work: (manager: EntityManager) => Promise<unknown>;
  /** The time at which it is given up, if it could not begin by then. */
  readonly until: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The operations of the database that a group needs. */
interface Transactions {
  begin(until: number): Promise<QueryRunner>;
  commit(runner: QueryRunner): Promise<void>;
  undo(runner: QueryRunner): Promise<void>;
  /** A unit in a transaction of its own, tried again where that may help. */
  alone(work: Waiting['work'], until: number): Promise<unknown>;
}

/** The largest number of waiting units, and the longest wait for their turn and for locks of other processes together. */
interface Limits {
  readonly waiting: number;
  readonly waitMs: number;
}

/** Longer than this no unit waits until it can begin. */
export const UNIT_WAIT_MS = 10_000;
const LIMITS: Limits = { waiting: 2_000, waitMs: UNIT_WAIT_MS };

/** The unit that has waited longest is answered after so many others at most. */
const MAX_UNITS = 64;
/** A group takes in no further unit after so long. */
const MAX_MS = 15;
/** Turns of the event loop in which a group gathers. */
const MAX_TURNS = 4;
/** Units that came with the last ones are waited for as long as one comes within this time of another. */
const PAUSE_MS = 2;
/** However many still come, no group waits longer than this before it begins. */
const MAX_GATHER_MS = 10;
/** So many groups after one with a unit that failed are likely to hold another one. */
const GROUPS_WITH_SAVEPOINTS = 32;

/** A unit of a group without savepoints has failed: its rows cannot be separated from those of the others. */
class UnitFailedError extends Error {}

/** Runs a unit within a group, and returns what settles its promise, once the group is committed. */
type Attempt = (runner: QueryRunner, unit: Waiting) => Promise<() => void>;

/**
 * Units of work on the one connection that writes. Those that wait for each other anyway share a commit, and no promise
 * settles before it. If a unit fails, all run again, each in a savepoint: with one for every unit the full-text index would
 * write out what it has gathered after each, which takes longer than all the rest.
 */
export class GroupCommit {
  private readonly queue: Waiting[] = [];
  private isRunning = false;
  /** Groups whose units are still to get savepoints. */
  private groupsWithSavepoints = 0;
  /** So many units came while the last ones were done, those included: about as many write at the same time. */
  private companions = 0;
  /** Ends the pause before the next unit comes. */
  private arrived: (() => void) | undefined;

  constructor(
    private readonly transactions: Transactions,
    private readonly limits = LIMITS,
  ) {}

  /** @throws {DomainError} `overloaded`: too many units wait, or it could not begin in time; nothing of it was done */
  run<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    if (this.queue.length >= this.limits.waiting) return Promise.reject(overloaded('Too many writes are waiting.'));
    const until = performance.now() + this.limits.waitMs;
    return new Promise<unknown>((resolve, reject) => {
      this.queue.push({ work: AsyncResource.bind(work), until, resolve, reject });
      this.arrived?.();
      if (!this.isRunning) void this.drain();
    }) as Promise<Result>;
  }

  private async drain(): Promise<void> {
    this.isRunning = true;
    while (this.queue.length > 0) {
      await this.gather();
      // Units are given up in the order in which they came, so whatever is late stands in front.
      const now = performance.now();
      while ((this.queue[0]?.until ?? now) < now) {
        this.queue.shift()?.reject(overloaded('The database could not take the write in time.'));
      }
      if (this.queue.length > 1) await this.group();
      else await this.alone(this.queue.splice(0, 1));
    }
    this.isRunning = false;
  }

  /**
   * The database works in this thread: without a pause no other request would reach the queue. Clients that were answered by
   * one commit mostly write again at once; without a wait for them they part into groups that take turns.
   */
  private async gather(): Promise<void> {
    await this.takeTurns();
    const end = performance.now() + MAX_GATHER_MS;
    while (this.queue.length < this.companions && performance.now() < end) {
      const before = this.queue.length;
      await this.nextArrival();
      // A pause may have passed in work for those who are on their way.
      if (this.queue.length === before) await this.takeTurns();
      if (this.queue.length === before) return;
    }
  }

  private async takeTurns(): Promise<void> {
    for (let turns = 0, before = -1; turns < MAX_TURNS && before < this.queue.length; turns += 1) {
      before = this.queue.length;
      await turn();
    }
  }

  /** Resolves with the next unit, or without one after a pause. */
  private nextArrival(): Promise<void> {
    return new Promise((resolve) => {
      const settle = (): void => {
        clearTimeout(pause);
        this.arrived = undefined;
        resolve();
      };
      const pause = setTimeout(settle, PAUSE_MS);
      this.arrived = settle;
    });
  }

  private async group(): Promise<void> {
    const usesSavepoints = this.groupsWithSavepoints > 0;
    if (usesSavepoints) this.groupsWithSavepoints -= 1;
    const units: Waiting[] = [];
    try {
      await this.together(units, usesSavepoints ? inSavepoint : bare);
    } catch (error) {
      // Nothing of the group is there, and no promise has been settled otherwise.
      if (error instanceof UnitFailedError) {
        this.groupsWithSavepoints = GROUPS_WITH_SAVEPOINTS;
        this.queue.unshift(...units);
      } else await this.alone(units.length > 0 ? units : this.queue.splice(0, 1));
    }
  }

  /** @param units is given each unit that is begun */
  private async together(units: Waiting[], attempt: Attempt): Promise<void> {
    const settlements: (() => void)[] = [];
    const runner = await this.transactions.begin(this.queue[0]?.until ?? 0);
    try {
      for (const end = performance.now() + MAX_MS; units.length < MAX_UNITS && performance.now() < end;) {
        const unit = this.queue.shift();
        if (!unit) break;
        units.push(unit);
        settlements.push(await attempt(runner, unit));
      }
      await this.transactions.commit(runner);
    } catch (error) {
      await this.transactions.undo(runner);
      throw error;
    }
    this.companions = Math.min(MAX_UNITS, units.length + this.queue.length);
    for (const settle of settlements) settle();
  }

  private async alone(units: readonly Waiting[]): Promise<void> {
    for (const { work, until, resolve, reject } of units) {
      await this.transactions.alone(work, until).then(resolve, reject);
    }
    this.companions = Math.min(MAX_UNITS, units.length + this.queue.length);
  }
}

async function bare(runner: QueryRunner, { work, resolve }: Waiting): Promise<() => void> {
  try {
    const result = await work(runner.manager);
    return () => {
      resolve(result);
    };
  } catch (cause) {
    throw isRetryable(cause) ? cause : new UnitFailedError('A unit has failed.', { cause });
  }
}

async function inSavepoint(runner: QueryRunner, { work, resolve, reject }: Waiting): Promise<() => void> {
  await runner.query('SAVEPOINT unit');
  try {
    const result = await work(runner.manager);
    // What gathered is within the savepoint of its unit, or gone with it.
    await writeOwed(runner);
    await runner.query('RELEASE unit');
    return () => {
      resolve(result);
    };
  } catch (error) {
    if (isRetryable(error)) throw error;
    dropOwed(runner);
    await runner.query('ROLLBACK TO unit');
    await runner.query('RELEASE unit');
    return () => {
      reject(error);
    };
  }
}
