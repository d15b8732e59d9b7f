import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { sqliteDriverName } from '../dialect/sqlite-driver.js';
import type { SqlValue } from '../statements/statement.js';

interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly failure?: { readonly message: string; readonly code?: string };
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

const BUSY_TIMEOUT_MS = 2_000;
const CACHE_KIB = 16_384;

export class ThreadEndedError extends Error {}

/** A connection to SQLite in a thread of its own; it only reads, unless work is to be done there. */
export class ThreadConnection {
  private readonly worker: Worker;
  private readonly pending = new Map<number, Pending>();
  private asked = 0;
  private fault: Error | undefined;
  /** Nothing more can be asked of it. */
  isOver = false;
  /** It uses no processor any more. */
  isGone = false;
  /** Settles when the file is open, or will never be. */
  readonly started: Promise<unknown>;

  constructor(file: string, name: string, { isReadOnly }: { readonly isReadOnly: boolean }) {
    this.worker = new Worker(join(import.meta.dirname, 'thread.mjs'), {
      workerData: { driver: sqliteDriverName(), file, isReadOnly, timeoutMs: BUSY_TIMEOUT_MS, cacheKiB: CACHE_KIB },
      // Options of this process are not for the thread: it would be profiled, or load what it does not need.
      execArgv: [],
      name,
    });
    this.worker.unref();
    this.started = new Promise((resolve) => {
      this.worker.once('message', resolve).once('exit', resolve);
    });
    this.worker.on('message', (reply: Reply) => {
      this.settle(reply);
    });
    // Its end follows. Without a listener the error would end this process too.
    this.worker.on('error', (error: Error) => {
      this.fault = error;
    });
    this.worker.once('exit', () => {
      this.isGone = true;
      this.end();
    });
  }

  /** @throws {ThreadEndedError} */
  select<Row>(sql: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    return this.ask<Row[]>({ sql, values });
  }

  /** Runs the `run` of a {@link ThreadProgram} in one state of the file. @throws {ThreadEndedError} */
  call<Result>(module: string, argument: unknown): Promise<Result> {
    return this.ask<Result>({ module, argument });
  }

  /** Gives up on whatever the thread is doing. It is gone as soon as its present statement is. */
  async stop(): Promise<void> {
    this.end();
    await this.worker.terminate();
  }

  private ask<Result>(question: object): Promise<Result> {
    if (this.isOver) return Promise.reject(this.endedError());
    const id = (this.asked += 1);
    return new Promise<Result>((resolve, reject) => {
      // What the thread answers is what was asked of it.
      this.pending.set(id, { resolve: resolve as Pending['resolve'], reject });
      this.worker.postMessage({ id, ...question });
    });
  }

  private settle({ id, result, failure }: Reply): void {
    const waiting = this.pending.get(id);
    this.pending.delete(id);
    if (failure) waiting?.reject(Object.assign(new Error(failure.message), { code: failure.code }));
    else waiting?.resolve(result);
  }

  private end(): void {
    this.isOver = true;
    for (const { reject } of this.pending.values()) reject(this.endedError());
    this.pending.clear();
  }

  private endedError(): ThreadEndedError {
    return new ThreadEndedError('A thread that reads has ended.', this.fault ? { cause: this.fault } : {});
  }
}

interface ThreadStatement {
  /** Rows as arrays from now on. */
  raw(): ThreadStatement;
  all(...values: readonly unknown[]): unknown[];
  get(...values: readonly unknown[]): unknown;
  /** Runs a statement that writes, in a thread that may. */
  run(...values: readonly unknown[]): unknown;
}

/** The file as a program in a thread has it: one state of it, as long as the program runs. What fails is undone. */
export interface ThreadFile {
  /** Another text for any other state. */
  readonly state: string;
  /** Compiled once for each text. */
  readonly prepare: (sql: string) => ThreadStatement;
}

/** The export of a module that runs in a reading thread. Argument and result are copied, so they are plain values. */
export type ThreadProgram<Argument, Result> = (file: ThreadFile, argument: Argument) => Result;
