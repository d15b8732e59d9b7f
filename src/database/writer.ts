import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { openDataSource } from './data-source.js';
import type { Dialect } from './dialect/dialect.js';

/** The connection (SQLite) or the pool (servers) that all writing goes through. Only `UnitOfWork` and migrations use it. */
@Injectable()
export class Writer implements OnApplicationShutdown {
  private constructor(
    readonly source: DataSource,
    readonly dialect: Dialect,
  ) {}

  /** @throws with one sentence for the operator, when the database cannot be reached or opened */
  static async open(dialect: Dialect): Promise<Writer> {
    try {
      return new Writer(await openDataSource(dialect.writerOptions()), dialect);
    } catch (cause) {
      throw new Error(`The database ${dialect.label} cannot be opened: ${reasonOf(cause)}. Check DATABASE_URL.`, {
        cause,
      });
    }
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.source.isInitialized) await this.source.destroy();
  }
}

/** A name that leads to several hosts fails with an error of no message that holds one error for each. */
function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message === undefined || message === '' ? (code ?? String(error)) : message;
}
