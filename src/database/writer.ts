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

  static async open(dialect: Dialect): Promise<Writer> {
    return new Writer(await openDataSource(dialect.writerOptions()), dialect);
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.source.isInitialized) await this.source.destroy();
  }
}
