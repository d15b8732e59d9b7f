import { overloaded } from '../../common/errors/overloaded.js';
import type { SqlValue } from '../statements/statement.js';
import { ThreadConnection, ThreadEndedError } from './thread-connection.js';

interface Limits {
  readonly size: number;
  /** The largest number that may wait while all threads read: no aim, but a bound for memory. */
  readonly waiting: number;
  readonly waitingMs: number;
  readonly deadlineMs: number;
}

const DEFAULTS: Limits = { size: 1, waiting: 10_000, waitingMs: 3_000, deadlineMs: 5_000 };

type Work<Result> = (connection: ThreadConnection) => Promise<Result>;

interface Waiting {
  readonly take: (thread: ReadingThread) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Long reads of SQLite, away from the thread that answers requests. A thread does one read after the other; a read waits for
 * a free one a limited time, and is refused if its answer would come too late.
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
    this.threads = Array.from({ length: size }, () => new ReadingThread(file, name, deadlineMs));
    this.idle = [...this.threads];
  }

  /** Runs one statement. @throws {DomainError} `overloaded`: it waited or took too long, or the thread died */
  run<Row>(sql: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    return this.inThread((connection) => connection.select<Row>(sql, values));
  }

  /**
   * Runs the `run` of a {@link ThreadProgram} in a thread, within one state of the file. @param module address of its file
   * @throws {DomainError} `overloaded`: it waited or took too long, or the thread died
   */
  call<Result>(module: string, argument: unknown): Promise<Result> {
    return this.inThread((connection) => connection.call<Result>(module, argument));
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.threads.map((thread) => thread.stop()));
  }

  private async inThread<Result>(work: Work<Result>): Promise<Result> {
    if (this.isStopping) throw overloaded('The service is stopping.');
    const thread = this.takeIdle() ?? (await this.turn());
    try {
      return await thread.read(work);
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

/** One thread, started when it is first needed and again after it has died. A read that takes too long ends it. */
class ReadingThread {
  private connection: ThreadConnection | undefined;
  /** A thread that was given up and is still busy with its last statement. */
  private givenUp: ThreadConnection | undefined;

  constructor(
    private readonly file: string,
    private readonly name: string,
    private readonly deadlineMs: number,
  ) {}

  /** True if a statement that was given up still uses the processor: a second thread beside it would take another core. */
  get isStuck(): boolean {
    return this.givenUp?.isGone === false;
  }

  /** @throws {DomainError} `overloaded`: it took too long, or the thread died */
  async read<Result>(work: Work<Result>): Promise<Result> {
    const connection = this.open();
    // To start a thread is no part of the work: on a busy machine it takes longer than most reads.
    await connection.started;
    const deadline = setTimeout(() => {
      this.givenUp = connection;
      void connection.stop();
    }, this.deadlineMs).unref();
    try {
      return await work(connection);
    } catch (error) {
      throw error instanceof ThreadEndedError ? overloaded(`The ${this.name} took too long.`, error) : error;
    } finally {
      clearTimeout(deadline);
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.connection?.stop(), this.givenUp?.stop()]);
  }

  private open(): ThreadConnection {
    if (this.connection?.isOver !== false) {
      this.connection = new ThreadConnection(this.file, this.name, { isReadOnly: true });
    }
    return this.connection;
  }
}
