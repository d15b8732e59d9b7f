import { AsyncResource } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import type { EntityManager, QueryRunner } from 'typeorm';
import { isRetryable } from './database-error.js';

/** Work that waits for its turn, and whom to tell what came of it. */
interface Waiting {
  readonly work: (manager: EntityManager) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** What a group needs of the database. */
interface Transactions {
  begin(): Promise<QueryRunner>;
  commit(runner: QueryRunner): Promise<void>;
  undo(runner: QueryRunner): Promise<void>;
  /** A unit in a transaction of its own, tried again where that may help. */
  alone(work: Waiting['work']): Promise<unknown>;
}

/** Whoever has waited longest is told after so many others at most. */
const MAX_UNITS = 64;
/** Nobody is let in any more after so long. */
const MAX_MS = 15;

/**
 * Units of work on the one connection that writes, one after the other. Those that wait for each other anyway share a
 * commit, and with it the wait for the disk; each in a savepoint of its own, and nobody is told before it is committed.
 */
export class GroupCommit {
  private readonly queue: Waiting[] = [];
  private isRunning = false;

  constructor(private readonly transactions: Transactions) {}

  run<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return new Promise<unknown>((resolve, reject) => {
      this.queue.push({ work: AsyncResource.bind(work), resolve, reject });
      if (!this.isRunning) void this.drain();
    }) as Promise<Result>;
  }

  private async drain(): Promise<void> {
    this.isRunning = true;
    while (this.queue.length > 0) {
      // The database works in this very thread: without a pause nobody else would get as far as the queue.
      await turn();
      if (this.queue.length > 1) await this.group();
      else await this.alone(this.queue.splice(0, 1));
    }
    this.isRunning = false;
  }

  private async group(): Promise<void> {
    const units: Waiting[] = [];
    const settlements: (() => void)[] = [];
    let runner: QueryRunner | undefined;
    try {
      runner = await this.transactions.begin();
      for (const end = performance.now() + MAX_MS; units.length < MAX_UNITS && performance.now() < end;) {
        const unit = this.queue.shift();
        if (!unit) break;
        units.push(unit);
        settlements.push(await inSavepoint(runner, unit));
      }
      await this.transactions.commit(runner);
    } catch {
      // Nothing of the group is there, and nobody has been told otherwise.
      if (runner) await this.transactions.undo(runner);
      await this.alone(units.length > 0 ? units : this.queue.splice(0, 1));
      return;
    }
    for (const settle of settlements) settle();
  }

  private async alone(units: readonly Waiting[]): Promise<void> {
    for (const { work, resolve, reject } of units) await this.transactions.alone(work).then(resolve, reject);
  }
}

/** @returns what tells whoever waits, once the group is committed */
async function inSavepoint(runner: QueryRunner, { work, resolve, reject }: Waiting): Promise<() => void> {
  await runner.query('SAVEPOINT unit');
  try {
    const result = await work(runner.manager);
    await runner.query('RELEASE unit');
    return () => {
      resolve(result);
    };
  } catch (error) {
    if (isRetryable(error)) throw error;
    await runner.query('ROLLBACK TO unit');
    await runner.query('RELEASE unit');
    return () => {
      reject(error);
    };
  }
}
