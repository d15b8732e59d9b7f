import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { SqlValue } from './statement.js';

/** Whatever reads rows: the connection for reading, or a moment that is held still. */
export interface Reader {
  select<Row>(sql: string, values?: readonly SqlValue[]): Promise<Row[]>;
}

/** Reads rows outside of any unit of work: only what is committed, never waiting for a write. */
@Injectable()
export class Reads implements Reader {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  select<Row>(sql: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    return this.source.query<Row[]>(sql, [...values]);
  }
}
