import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { openNamed } from './data-source.js';
import type { Dialect } from './dialect/dialect.js';

/** The connection (SQLite) or the pool (servers) that all writing goes through. Only `UnitOfWork` and migrations use it. */
@Injectable()
export class Writer implements OnApplicationShutdown {
  private readonly lastWork: (() => Promise<void>)[] = [];

  private constructor(
    readonly source: DataSource,
    readonly dialect: Dialect,
  ) {}

  /**
   * @param options of {@link Dialect.soleOptions}, for work that nobody may see half of
   * @throws with one sentence for the operator, when the database cannot be reached or opened
   */
  static async open(dialect: Dialect, options = dialect.writerOptions()): Promise<Writer> {
    return new Writer(await openNamed(dialect.label, options), dialect);
  }

  /** Has something written when everything else is over: whose turn it is at a stop, the order of modules decides. */
  beforeEnd(work: () => Promise<void>): void {
    this.lastWork.push(work);
  }

  async onApplicationShutdown(): Promise<void> {
    for (const work of this.lastWork) await work();
    if (this.source.isInitialized) await this.source.destroy();
  }
}
