import type { SqlValue } from '../../database/statement.js';
import { overloaded } from '../overloaded.js';
import { ThreadConnection, ThreadEnded } from './thread-connection.js';

/** Reads of one state of the file. */
export interface Snapshot {
  /** Another text for any other state. */
  readonly state: string;
  readonly select: <Row>(sql: string, values?: readonly SqlValue[]) => Promise<Row[]>;
}

interface Limits {
  /** How many may wait while one reads. */
  readonly waiting: number;
  /** How long one may read. */
  readonly deadlineMs: number;
}

const DEFAULTS: Limits = { waiting: 64, deadlineMs: 5_000 };

/**
 * Long reads of a file of SQLite, one after the other and away from the thread that answers requests. The thread is
 * started when it is first needed and again after it has died; a read that takes too long is given up with its thread.
 */
export class ReadingThread {
  private connection: ThreadConnection | undefined;
  /** A thread that was given up and is still busy with its last statement. */
  private givenUp: ThreadConnection | undefined;
  private tail: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private connections = 0;
  private isStopping = false;

  constructor(
    private readonly file: string,
    private readonly limits: Limits = DEFAULTS,
  ) {}

  /**
   * Runs reads that see one and the same state of the file.
   *
   * @throws {DomainError} `overloaded`: too many wait already, it took too long, or the thread died
   */
  run<Result>(work: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
    if (this.waiting > this.limits.waiting) return Promise.reject(overloaded('Too many searches are waiting.'));
    this.waiting += 1;
    const result = this.tail.then(() => this.read(work)).finally(() => (this.waiting -= 1));
    this.tail = result.catch(() => undefined);
    return result;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all([this.connection?.stop(), this.givenUp?.stop()]);
    await this.tail;
  }

  private async read<Result>(work: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
    const connection = this.open();
    const deadline = new Deadline(this.limits.deadlineMs, () => {
      this.giveUp(connection);
    });
    try {
      await connection.select('BEGIN');
      const result = await work({
        state: await this.stateOf(connection),
        select: (sql, values) => connection.select(sql, values),
      });
      await connection.select('COMMIT');
      return result;
    } catch (error) {
      if (error instanceof ThreadEnded) throw overloaded('The search took too long.', error);
      await connection.select('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      deadline.clear();
    }
  }

  /** Every connection numbers the states of the file by itself. */
  private async stateOf(connection: ThreadConnection): Promise<string> {
    const [row] = await connection.select<{ data_version: number }>('PRAGMA data_version');
    return `${this.connections}-${row?.data_version ?? 0}`;
  }

  private open(): ThreadConnection {
    if (this.isStopping) throw overloaded('The service is stopping.');
    if (this.givenUp?.isGone === false) throw overloaded('An earlier search still takes too long.');
    if (this.connection?.isOver === false) return this.connection;
    this.connections += 1;
    this.connection = new ThreadConnection(this.file);
    return this.connection;
  }

  /** No second thread beside one that cannot be interrupted: a few dear queries would take all cores. */
  private giveUp(connection: ThreadConnection): void {
    this.givenUp = connection;
    void connection.stop();
  }
}

class Deadline {
  private readonly timer: NodeJS.Timeout;

  constructor(ms: number, onReached: () => void) {
    this.timer = setTimeout(onReached, ms).unref();
  }

  clear(): void {
    clearTimeout(this.timer);
  }
}
