import { Injectable } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager, QueryRunner } from 'typeorm';
import { commitMark, type CommitMark } from '../../common/commit-mark.js';
import { isRetryable } from '../database-error.js';
import { GroupCommit } from './group-commit.js';
import { Writer } from '../statements/writer.js';

/**
 * No try begins after that: one that waits for a lock may itself take five seconds. Their number has no bound, since
 * dozens of records of one title that are created at once lose against each other again and again.
 */
const MAX_TRIES_MS = 10_000;
const FIRST_PAUSE_MS = 5;
const MAX_PAUSE_MS = 500;

type Work<Result> = (manager: EntityManager) => Promise<Result>;

/** What follows for a client from a unit that was committed. */
export interface Consequence<Result> {
  /**
   * Whether a request that fails after the unit was committed can be sent again all the same: since nothing was
   * written, or nothing that it would make twice. Otherwise it is answered with `outcome_unknown`.
   */
  readonly isRepeatable?: (result: Result) => boolean;
}

/** What is done ahead of a write, or behind it, and may be done again. */
export const REPEATABLE = { isRepeatable: () => true };

/** The one door to a write transaction: everything done with the given manager commits, or nothing does. */
@Injectable()
export class UnitOfWork {
  private readonly open = new AsyncLocalStorage<{ isOpen: boolean }>();
  /** One connection for the whole process: a second BEGIN would land in the first transaction. */
  private readonly grouped: GroupCommit | null;
  private units = 0;

  constructor(private readonly writer: Writer) {
    const { dialect, source } = writer;
    this.grouped = dialect.hasOneWriter
      ? new GroupCommit({
          begin: async (until) => {
            const runner = source.createQueryRunner();
            await writer.begin(runner, until);
            return runner;
          },
          commit: (runner) => writer.commit(runner),
          undo: (runner) => this.undo(runner),
          alone: (work, until) => this.attempt(work, until),
        })
      : null;
  }

  /**
   * Runs `work` in a transaction, again as a whole when it lost against another one, so it must not do anything
   * outside of the database. Nothing slow belongs into it: no hash, no network.
   *
   * @throws {DomainError} `outcome_unknown`: it may be committed or not, and was not run again; after any other failure
   *   nothing of it is there
   */
  run<Result>(
    work: (manager: EntityManager) => Promise<Result>,
    consequence: Consequence<Result> = {},
  ): Promise<Result> {
    // Waiting for ourselves would never end; on a server it would quietly be a second, independent transaction.
    if (this.open.getStore()?.isOpen) throw new Error('A unit of work is already open: hand on its manager instead.');

    const marked = (manager: EntityManager) => this.marked(() => work(manager));
    const done = this.grouped ? this.grouped.run(marked) : this.attempt(marked);
    const mark = commitMark();
    return mark ? markingCommit(done, mark, consequence) : done;
  }

  /** Has something done after everything else at a stop, while units can still be run. It must not fail. */
  beforeEnd(work: () => Promise<void>): void {
    this.writer.beforeEnd(work);
  }

  /** Up to Node 22 the mark slows every promise of the process down, so it is taken off when no unit is open. */
  private async marked<Result>(unit: () => Promise<Result>): Promise<Result> {
    // What a unit has begun beside itself carries the mark on, and must not be taken for the unit once that is over.
    const mark = { isOpen: true };
    this.units += 1;
    try {
      return await this.open.run(mark, unit);
    } finally {
      mark.isOpen = false;
      this.units -= 1;
      if (this.units === 0) this.open.disable();
    }
  }

  private async attempt<Result>(work: Work<Result>, until?: number): Promise<Result> {
    const giveUpAt = performance.now() + MAX_TRIES_MS;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.transaction(work, until);
      } catch (error) {
        const pause = Math.random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries);
        if (performance.now() + pause > giveUpAt || !isRetryable(error)) throw error;
        await sleep(pause);
      }
    }
  }

  private async transaction<Result>(work: Work<Result>, until?: number): Promise<Result> {
    const runner = this.writer.source.createQueryRunner();
    try {
      await this.writer.begin(runner, until);
      const result = await work(runner.manager);
      await this.writer.commit(runner);
      return result;
    } catch (error) {
      await this.undo(runner);
      throw error;
    } finally {
      await runner.release();
    }
  }

  /** A transaction that cannot be undone has lost its connection, and with it everything it did. */
  private async undo(runner: QueryRunner): Promise<void> {
    if (!runner.isTransactionActive) return;
    try {
      await this.writer.dialect.rollback(runner);
    } catch {
      // The error that brought us here says more than this one.
    }
  }
}

async function markingCommit<Result>(
  done: Promise<Result>,
  mark: CommitMark,
  { isRepeatable = () => false }: Consequence<Result>,
): Promise<Result> {
  const result = await done;
  if (!isRepeatable(result)) mark.isCommitted = true;
  return result;
}
