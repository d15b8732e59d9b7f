import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { SqlValue } from './statement.js';

/** Reads rows outside of any unit of work: only what is committed, never waiting for a write. */
@Injectable()
export class Reads {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  select<Row>(sql: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    return this.source.query<Row[]>(sql, [...values]);
  }
}
