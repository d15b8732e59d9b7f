import { overloaded } from '../../common/errors/overloaded.js';
import type { SqlValue } from '../statement.js';
import { ReadingThread, type Snapshot } from './reading-thread.js';

interface Limits {
  /** Threads, each with a connection of its own. */
  readonly size: number;
  /** How many may wait while all threads read. */
  readonly waiting: number;
  /** How long one may read. */
  readonly deadlineMs: number;
}

const DEFAULTS: Limits = { size: 1, waiting: 64, deadlineMs: 5_000 };

/**
 * Long reads of a file of SQLite, away from the thread that answers requests. A thread does one piece of work after
 * the other; what finds none free waits, up to a bound.
 */
export class ReadingThreads {
  private readonly idle: ReadingThread[];
  private readonly threads: readonly ReadingThread[];
  private readonly limits: Limits;
  private readonly queue: ((thread: ReadingThread) => void)[] = [];
  private isStopping = false;

  /** @param name what is read in them, as messages call it: `search` */
  constructor(
    file: string,
    private readonly name: string,
    limits: Partial<Limits> = {},
  ) {
    this.limits = { ...DEFAULTS, ...limits };
    const { size, deadlineMs } = this.limits;
    this.threads = Array.from({ length: size }, () => new ReadingThread({ file, name, deadlineMs }));
    this.idle = [...this.threads];
  }

  /**
   * Runs one statement.
   *
   * @throws {DomainError} `overloaded`: too many wait already, it took too long, or the thread died
   */
  run<Row>(sql: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    return this.inThread((thread) => thread.read((connection) => connection.select<Row>(sql, values)));
  }

  /**
   * Runs reads that see one and the same state of the file.
   *
   * @throws {DomainError} `overloaded`: too many wait already, it took too long, or the thread died
   */
  within<Result>(work: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
    return this.inThread((thread) => thread.within(work));
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.threads.map((thread) => thread.stop()));
  }

  private async inThread<Result>(work: (thread: ReadingThread) => Promise<Result>): Promise<Result> {
    const thread = this.idle.pop() ?? (await this.turn());
    try {
      this.requireUsable(thread);
      return await work(thread);
    } finally {
      this.handOn(thread);
    }
  }

  private turn(): Promise<ReadingThread> {
    if (this.queue.length >= this.limits.waiting) {
      return Promise.reject(overloaded(`Too many requests for a ${this.name} are waiting.`));
    }
    return new Promise((resolve) => this.queue.push(resolve));
  }

  private requireUsable(thread: ReadingThread): void {
    if (this.isStopping) throw overloaded('The service is stopping.');
    if (thread.isStuck) throw overloaded(`An earlier ${this.name} still takes too long.`);
  }

  /** One that is stuck comes last, so that others are taken before it. */
  private handOn(thread: ReadingThread): void {
    const next = this.queue.shift();
    if (next) next(thread);
    else if (thread.isStuck) this.idle.unshift(thread);
    else this.idle.push(thread);
  }
}
