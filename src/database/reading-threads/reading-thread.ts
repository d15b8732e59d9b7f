import { overloaded } from '../../common/errors/overloaded.js';
import type { SqlValue } from '../statements/statement.js';
import { ThreadConnection, ThreadEndedError } from './thread-connection.js';

/** Reads of one state of the file. */
export interface Snapshot {
  /** Another text for any other state. */
  readonly state: string;
  readonly select: <Row>(sql: string, values?: readonly SqlValue[]) => Promise<Row[]>;
}

interface Options {
  readonly file: string;
  readonly name: string;
  /** The longest time that one piece of work may read. */
  readonly deadlineMs: number;
}

/** Connections of this process so far: each numbers the states of the file by itself. */
let connections = 0;

/**
 * One thread for reads that take long. It is started when it is first needed and again after it has died; a read that
 * takes too long is given up with its thread.
 */
export class ReadingThread {
  private connection: ThreadConnection | undefined;
  /** A thread that was given up and is still busy with its last statement. */
  private givenUp: ThreadConnection | undefined;
  private serial = 0;

  constructor(private readonly options: Options) {}

  /** True if a statement that was given up still uses the processor: a second thread beside it would take another core. */
  get isStuck(): boolean {
    return this.givenUp?.isGone === false;
  }

  /** @throws {DomainError} `overloaded`: it took too long, or the thread died */
  async read<Result>(work: (connection: ThreadConnection) => Promise<Result>): Promise<Result> {
    const connection = this.open();
    // To start a thread is no part of the work: on a busy machine it takes longer than most reads.
    await connection.started;
    const deadline = setTimeout(() => {
      this.giveUp(connection);
    }, this.options.deadlineMs).unref();
    try {
      return await work(connection);
    } catch (error) {
      throw error instanceof ThreadEndedError ? overloaded(`The ${this.options.name} took too long.`, error) : error;
    } finally {
      clearTimeout(deadline);
    }
  }

  /** Runs a program of a module: one message there and one back. */
  call<Result>(module: string, argument: unknown): Promise<Result> {
    return this.read((connection) => connection.call<Result>(module, argument));
  }

  /** Runs reads that see one and the same state of the file. */
  within<Result>(work: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
    return this.read(async (connection) => {
      await connection.select('BEGIN');
      try {
        const result = await work({
          state: await this.stateOf(connection),
          select: (sql, values) => connection.select(sql, values),
        });
        await connection.select('COMMIT');
        return result;
      } catch (error) {
        await connection.select('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
  }

  async stop(): Promise<void> {
    await Promise.all([this.connection?.stop(), this.givenUp?.stop()]);
  }

  private async stateOf(connection: ThreadConnection): Promise<string> {
    const [row] = await connection.select<{ data_version: number }>('PRAGMA data_version');
    return `${this.serial}-${row?.data_version ?? 0}`;
  }

  private open(): ThreadConnection {
    if (this.connection?.isOver === false) return this.connection;
    this.serial = connections += 1;
    this.connection = new ThreadConnection(this.options.file, this.options.name, { isReadOnly: true });
    return this.connection;
  }

  private giveUp(connection: ThreadConnection): void {
    this.givenUp = connection;
    void connection.stop();
  }
}
