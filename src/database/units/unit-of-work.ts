import { Injectable } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager, QueryRunner } from 'typeorm';
import { commitMark, type CommitMark } from '../../common/commit-mark.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { Metrics } from '../../common/metrics/metrics.js';
import { SilentMetrics } from '../../common/metrics/silent-metrics.js';
import { currentSpan } from '../../common/tracing/request-scope.js';
import { traced } from '../../common/tracing/traced.js';
import type { Span } from '../../common/tracing/tracing.js';
import { isRetryable } from '../dialect/database-error.js';
import { GroupCommit } from './group-commit.js';
import { UnitMetrics } from './unit-metrics.js';
import { Writer } from '../statements/writer.js';

/**
 * No try begins after that: one that waits for a lock may itself take five seconds. Their number has no bound, since
 * dozens of records of one title that are created at once lose against each other again and again.
 */
const MAX_TRIES_MS = 10_000;
/**
 * A unit of a request on a server that is older than that is undone, and run again: nothing of it comes later than that.
 */
const UNIT_LIMIT_MS = 5_000;
const FIRST_PAUSE_MS = 5;
const MAX_PAUSE_MS = 500;

/** The name of a unit in traces. */
const UNIT = 'TRANSACTION';

type Work<Result> = (manager: EntityManager) => Promise<Result>;

/** The consequence for a client of a unit that was committed. */
export interface Consequence<Result> {
  /**
   * Whether a request that fails after the unit was committed can be sent again all the same: since nothing was
   * written, or nothing that it would make twice. Otherwise it is answered with `outcome_unknown`.
   */
  readonly isRepeatable?: (result: Result) => boolean;
}

/** A try of a unit. */
interface Attempt {
  isOpen: boolean;
  /** Work for the time after its commit. */
  readonly followUps: (() => void)[];
}

/** The consequence of a unit ahead of a write, or behind it, that may be run again. */
export const REPEATABLE = { isRepeatable: () => true };

/** A unit has taken longer than it may. */
export class UnitTooOldError extends DomainError {
  constructor() {
    super('overloaded', 'The write took too long, so nothing of it was made. Try again in a moment.', {
      headers: { 'Retry-After': '1' },
    });
  }
}

/** The one door to a write transaction: everything done with the given manager commits, or nothing does. */
@Injectable()
export class UnitOfWork {
  private readonly open = new AsyncLocalStorage<Attempt>();
  /** One connection for the whole process: a second BEGIN would land in the first transaction. */
  private readonly grouped: GroupCommit | null;
  private readonly figures: UnitMetrics;
  private units = 0;

  constructor(
    private readonly writer: Writer,
    metrics: Metrics = new SilentMetrics(),
  ) {
    this.figures = new UnitMetrics(metrics);
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

    let last: Attempt = { isOpen: false, followUps: [] };
    const marked = (manager: EntityManager): Promise<Result> => {
      last = { isOpen: true, followUps: [] };
      return this.marked(last, () => work(manager));
    };
    const mark = commitMark();
    const span = this.span();
    const limited = this.inTime(marked, mark !== undefined);
    const ran = this.grouped ? this.grouped.run(marked) : this.attempt(limited);
    const done = this.figures.timed(
      traced(
        span,
        followed(ran, () => last.followUps),
      ),
    );
    return mark ? markingCommit(done, mark, consequence) : done;
  }

  /**
   * Has something done once the unit that is open is committed; never, where it is not. It must not fail.
   *
   * @throws {Error} no unit is open
   */
  afterCommit(followUp: () => void): void {
    const unit = this.open.getStore();
    if (!unit?.isOpen) throw new Error('No unit of work is open.');
    unit.followUps.push(followUp);
  }

  /** Has something done after everything else at a stop, while units can still be run. It must not fail. */
  beforeEnd(work: () => Promise<void>): void {
    this.writer.beforeEnd(work);
  }

  /** Up to Node 22 the mark slows every promise of the process down, so it is taken off when no unit is open. */
  private async marked<Result>(mark: Attempt, unit: () => Promise<Result>): Promise<Result> {
    this.units += 1;
    try {
      return await this.open.run(mark, unit);
    } finally {
      // What a unit has begun beside itself carries the mark on, and must not be taken for the unit once that is over.
      mark.isOpen = false;
      this.units -= 1;
      if (this.units === 0) this.open.disable();
    }
  }

  /** The unit begins with its work: on a server its first statement is the beginning of the transaction. */
  private inTime<Result>(work: Work<Result>, isOfRequest: boolean): Work<Result> {
    return async (manager) => {
      const begun = performance.now();
      const result = await work(manager);
      if (isOfRequest && performance.now() - begun > UNIT_LIMIT_MS) throw new UnitTooOldError();
      return result;
    };
  }

  /** Of a unit that belongs to a trace: from its asking, so that it has the wait for its turn and all tries. */
  private span(): Span | undefined {
    const attributes = { 'db.system.name': this.writer.dialect.system, 'db.operation.name': UNIT };
    return currentSpan()?.child('client', UNIT, attributes);
  }

  private async attempt<Result>(work: Work<Result>, until?: number): Promise<Result> {
    const giveUpAt = performance.now() + MAX_TRIES_MS;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.transaction(work, until);
      } catch (error) {
        const pause = Math.random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries);
        if (performance.now() + pause > giveUpAt || !this.mayRunAgain(error)) throw error;
        this.figures.again(error);
        await sleep(pause);
      }
    }
  }

  /** After an unanswered `COMMIT` it never may: what became of the unit is not known. */
  private mayRunAgain(error: unknown): boolean {
    return error instanceof UnitTooOldError || isRetryable(error);
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

/** @param followUps of the try that was committed */
async function followed<Result>(done: Promise<Result>, followUps: () => readonly (() => void)[]): Promise<Result> {
  const result = await done;
  for (const followUp of followUps()) followUp();
  return result;
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
