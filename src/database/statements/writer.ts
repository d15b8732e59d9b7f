import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { DataSource, QueryRunner } from 'typeorm';
import { openNamed } from '../dialect/data-source.js';
import type { Dialect } from '../dialect/dialect.js';

/** The connection (SQLite) or the pool (MySQL, MariaDB) that all writing goes through. Only `UnitOfWork` and migrations use it. */
@Injectable()
export class Writer implements OnApplicationShutdown {
  private readonly lastWork: (() => Promise<void>)[] = [];
  private readonly commitListeners: (() => void)[] = [];
  private gate: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly source: DataSource,
    readonly dialect: Dialect,
  ) {}

  /**
   * @param options of {@link Dialect.soleOptions}, for work of which no other connection may see a half
   * @throws with one sentence for the operator: the database cannot be reached or opened
   */
  static async open(dialect: Dialect, options = dialect.writerOptions()): Promise<Writer> {
    return new Writer(await openNamed(dialect.label, options), dialect);
  }

  /** Has something written when everything else is over: whose turn it is at a stop, the order of modules decides. */
  beforeEnd(work: () => Promise<void>): void {
    this.lastWork.push(work);
  }

  /** @param listener called after each commit of this process; it must not fail, and not take long */
  afterCommits(listener: () => void): void {
    this.commitListeners.push(listener);
  }

  /** @throws {DomainError} as {@link Dialect.begin} */
  async begin(runner: QueryRunner, until?: number): Promise<void> {
    await this.gate;
    await this.dialect.begin(runner, until);
  }

  /** Begins no transaction of this process before `work` is done. One that has begun goes on. */
  async beforeNextBegin<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = work();
    this.gate = done.catch(() => undefined);
    return done;
  }

  /** @throws {DomainError} as {@link Dialect.commit} */
  async commit(runner: QueryRunner): Promise<void> {
    await this.dialect.commit(runner);
    for (const listener of this.commitListeners) listener();
  }

  async onApplicationShutdown(): Promise<void> {
    for (const work of this.lastWork) await work();
    if (this.source.isInitialized) await this.source.destroy();
  }
}
