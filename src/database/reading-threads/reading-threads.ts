import { overloaded } from '../../common/errors/overloaded.js';
import type { SqlValue } from '../statements/statement.js';
import { ReadingThread, type Snapshot } from './reading-thread.js';

interface Limits {
  /** Threads, each with a connection of its own. */
  readonly size: number;
  /** The largest number that may wait while all threads read: no aim, but a bound for memory. */
  readonly waiting: number;
  /** The longest wait. */
  readonly waitingMs: number;
  /** The longest time of a read. */
  readonly deadlineMs: number;
}

const DEFAULTS: Limits = { size: 1, waiting: 10_000, waitingMs: 3_000, deadlineMs: 5_000 };

/** A task that waits for a thread. */
interface Waiting {
  readonly take: (thread: ReadingThread) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Long reads of a file of SQLite, away from the thread that answers requests. A thread does one piece of work after
 * the other; what finds none free waits its turn, but no longer than a while: many short reads are all answered, and
 * what would be answered too late is refused.
 */
export class ReadingThreads {
  private readonly idle: ReadingThread[];
  private readonly threads: readonly ReadingThread[];
  private readonly limits: Limits;
  private readonly queue = new Set<Waiting>();
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
   * @throws {DomainError} `overloaded`: it waited or took too long, or the thread died
   */
  run<Row>(sql: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    return this.inThread((thread) => thread.read((connection) => connection.select<Row>(sql, values)));
  }

  /**
   * Runs reads that see one and the same state of the file.
   *
   * @throws {DomainError} `overloaded`: it waited or took too long, or the thread died
   */
  within<Result>(work: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
    return this.inThread((thread) => thread.within(work));
  }

  /**
   * Runs the `run` of a module ({@link ThreadProgram}) in a thread, within one state of the file.
   *
   * @param module address of its file
   * @throws {DomainError} `overloaded`: it waited or took too long, or the thread died
   */
  call<Result>(module: string, argument: unknown): Promise<Result> {
    return this.inThread((thread) => thread.call<Result>(module, argument));
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.threads.map((thread) => thread.stop()));
  }

  private async inThread<Result>(work: (thread: ReadingThread) => Promise<Result>): Promise<Result> {
    if (this.isStopping) throw overloaded('The service is stopping.');
    const thread = this.takeIdle() ?? (await this.turn());
    try {
      return await work(thread);
    } finally {
      this.handOn(thread);
    }
  }

  /** The one that worked last has the most in its cache. One that is stuck is left alone. */
  private takeIdle(): ReadingThread | undefined {
    const at = this.idle.findLastIndex((thread) => !thread.isStuck);
    return at < 0 ? undefined : this.idle.splice(at, 1)[0];
  }

  private turn(): Promise<ReadingThread> {
    const areAllStuck = this.idle.length === this.threads.length;
    if (areAllStuck) return Promise.reject(overloaded(`An earlier ${this.name} still takes too long.`));
    if (this.queue.size >= this.limits.waiting) return Promise.reject(this.tooMany());
    return new Promise((take, refuse) => {
      const timer = setTimeout(() => {
        this.queue.delete(waiting);
        refuse(this.tooMany());
      }, this.limits.waitingMs).unref();
      const waiting: Waiting = { take, timer };
      this.queue.add(waiting);
    });
  }

  private tooMany(): Error {
    return overloaded(`Too many requests for a ${this.name} are waiting.`);
  }

  private handOn(thread: ReadingThread): void {
    this.idle.push(thread);
    const [next] = this.queue;
    const free = next && this.takeIdle();
    if (!free) return;
    this.queue.delete(next);
    clearTimeout(next.timer);
    next.take(free);
  }
}
