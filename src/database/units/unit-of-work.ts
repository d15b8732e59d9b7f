import { Injectable } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Histogram, Registry } from 'prom-client';
import type { EntityManager, QueryRunner } from 'typeorm';
import { commitMark } from '../../common/commit-mark.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { currentSpan } from '../../common/tracing/request-scope.js';
import { clientSpan, traced } from '../../common/tracing/traced.js';
import { isRetryable } from '../dialect/database-error.js';
import { GroupCommit } from './group-commit.js';
import { Writer } from '../statements/writer.js';

/** No try begins after that; one that waits for a lock may take five seconds itself. The number of tries has no bound. */
const MAX_TRIES_MS = 10_000;
/** An older unit of a request on a server is undone and run again, so that nothing of it comes later than that. */
const UNIT_LIMIT_MS = 5_000;
const FIRST_PAUSE_MS = 5;
const MAX_PAUSE_MS = 500;
/** Seconds. */
const BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];

/** The name of a unit in traces. */
const UNIT = 'TRANSACTION';

type Work<Result> = (manager: EntityManager) => Promise<Result>;

/** The consequence for a client of a unit that was committed. */
export interface Consequence<Result> {
  /**
   * Tells whether a request that fails after the commit can be sent again: nothing was written that it would make twice.
   * Otherwise it is answered with `outcome_unknown`.
   */
  readonly isRepeatable?: (result: Result) => boolean;
}

/** A try of a unit. */
interface Try {
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
  private readonly open = new AsyncLocalStorage<Try>();
  /** One connection for the whole process: a second BEGIN would land in the first transaction. */
  private readonly grouped: GroupCommit | null;
  private readonly durations: Histogram;
  private readonly retries: Counter<'reason'>;
  private units = 0;

  constructor(
    private readonly writer: Writer,
    registry: Registry = new Registry(),
  ) {
    const registers = [registry];
    this.durations = new Histogram({
      name: 'cms_db_unit_seconds',
      help: 'Units of work, waiting and further tries included.',
      buckets: BUCKETS,
      registers,
    });
    this.retries = new Counter({
      name: 'cms_db_retries_total',
      help: 'Units of work that ran again: they lost against another one, came too late, or lost their server.',
      labelNames: ['reason'],
      registers,
    });
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
          alone: (work, until) => this.attempt(work, { until }),
        })
      : null;
  }

  /**
   * Runs `work` in a transaction, again as a whole when it lost against another one: it does nothing outside of the
   * database, and nothing slow.
   * @throws {DomainError} `outcome_unknown`: it may be committed; after any other failure nothing is there
   */
  async run<Result>(
    work: (manager: EntityManager) => Promise<Result>,
    { isRepeatable }: Consequence<Result> = {},
  ): Promise<Result> {
    let last: Try = { isOpen: false, followUps: [] };
    const marked = (manager: EntityManager): Promise<Result> => {
      const mark = { isOpen: true, followUps: [] };
      last = mark;
      this.units += 1;
      return this.open.run(mark, work, manager).finally(() => {
        // What a unit has begun beside itself carries the mark on, and must not be taken for the unit once that is over.
        mark.isOpen = false;
        this.units -= 1;
        // Up to Node 22 the mark slows every promise of the process down.
        if (this.units === 0) this.open.disable();
      });
    };
    const begun = performance.now();
    const commits = commitMark();
    try {
      const result = await this.begin(marked, commits ? UNIT_LIMIT_MS : Infinity);
      for (const followUp of last.followUps) followUp();
      if (commits && isRepeatable?.(result) !== true) commits.isCommitted = true;
      return result;
    } finally {
      this.durations.observe((performance.now() - begun) / 1_000);
    }
  }

  /** The span of a unit that belongs to a trace has the wait for its turn and all tries. */
  private begin<Result>(marked: Work<Result>, limitMs: number): Promise<Result> {
    // Waiting for ourselves would never end; on a server it would quietly be a second, independent transaction.
    if (this.open.getStore()?.isOpen) throw new Error('A unit of work is already open: hand on its manager instead.');
    const above = currentSpan();
    const { system } = this.writer.dialect;
    const span = above && clientSpan(above, UNIT, { 'db.system.name': system, 'db.operation.name': UNIT });
    const done = this.grouped ? this.grouped.run(marked) : this.attempt(marked, { limitMs });
    return span ? traced(span, done) : done;
  }

  /** Has something done once the open unit is committed. It must not fail. @throws {Error} no unit is open */
  afterCommit(followUp: () => void): void {
    const unit = this.open.getStore();
    if (!unit?.isOpen) throw new Error('No unit of work is open.');
    unit.followUps.push(followUp);
  }

  /** Has something done after everything else at a stop, while units can still be run. It must not fail. */
  beforeEnd(work: () => Promise<void>): void {
    this.writer.beforeEnd(work);
  }

  /**
   * @param until when it is given up, if it could not begin by then
   * @param limitMs how long a try may take from its first statement to its commit: on a server that is its beginning
   */
  private async attempt<Result>(
    work: Work<Result>,
    { until, limitMs = Infinity }: { readonly until?: number; readonly limitMs?: number },
  ): Promise<Result> {
    const giveUpAt = performance.now() + MAX_TRIES_MS;
    for (let tries = 1; ; tries += 1) {
      const runner = this.writer.source.createQueryRunner();
      let pause: number;
      try {
        await this.writer.begin(runner, until);
        const begun = performance.now();
        const result = await work(runner.manager);
        if (performance.now() - begun > limitMs) throw new UnitTooOldError();
        await this.writer.commit(runner);
        return result;
      } catch (error) {
        await this.undo(runner);
        pause = Math.random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries);
        if (performance.now() + pause > giveUpAt || !this.mayRunAgain(error)) throw error;
        this.retries.inc({ reason: retryReason(error) });
      } finally {
        await runner.release();
      }
      await sleep(pause);
    }
  }

  /** After an unanswered `COMMIT` it never may: what became of the unit is not known. */
  private mayRunAgain(error: unknown): boolean {
    return error instanceof UnitTooOldError || isRetryable(error);
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

function retryReason(error: unknown): 'conflict' | 'late' | 'server' {
  if (error instanceof DomainError) return 'late';
  return isRetryable(error) ? 'conflict' : 'server';
}
