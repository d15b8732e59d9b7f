import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Span } from '@opentelemetry/api';
import type { DataSource, EntityManager, EntityTarget, ObjectLiteral, QueryRunner, Repository } from 'typeorm';
import { traced } from '../../common/tracing/traced.js';
import { select, type SqlValue } from './statement.js';
import type { Condition, Dialect } from '../dialect/dialect.js';

/** An injected repository for reading. Writes go through `UnitOfWork`, so that none joins another caller's transaction. */
export type ReadRepository<Entity extends ObjectLiteral> = Pick<
  Repository<Entity>,
  | 'find'
  | 'findBy'
  | 'findOne'
  | 'findOneBy'
  | 'findAndCount'
  | 'count'
  | 'countBy'
  | 'exists'
  | 'existsBy'
  | 'createQueryBuilder'
>;

/** Reads rows: over the connection for reading, in a unit of work, or in a snapshot. */
export interface Reader {
  of<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): ReadRepository<Entity>;
  select<Row>(sql: string, values?: readonly SqlValue[]): Promise<Row[]>;
}

/** Questions that one statement asks: SQLite has no more than 2,000 columns in an answer. */
const MAX_QUESTIONS = 500;

/** Tells whether there are rows for each of some statements, in the same order. */
export async function areThere(reader: Reader, queries: readonly Condition[]): Promise<readonly boolean[]> {
  const answers: boolean[] = [];
  for (let start = 0; start < queries.length; start += MAX_QUESTIONS) {
    const some = queries.slice(start, start + MAX_QUESTIONS);
    const columns = some.map(({ sql }, at) => `EXISTS (${sql}) AS q${at}`).join(', ');
    const [row] = await reader.select<Record<string, number | string>>(
      `SELECT ${columns}`,
      some.flatMap(({ values }) => values),
    );
    answers.push(...some.map((_, at) => Number(row?.[`q${at}`]) === 1));
  }
  return answers;
}

export function readerOf(manager: EntityManager): Reader {
  return {
    of: (entity) => manager.getRepository(entity),
    select: (sql, values) => select(manager, sql, values),
  };
}

interface LongReads {
  /** @throws {DomainError} `overloaded`: it waited or took too long */
  run<Row>(sql: string, values: readonly SqlValue[]): Promise<Row[]>;
  stop(): Promise<void>;
}

/** Reads rows outside of any unit of work: only what is committed, never waiting for a write. */
@Injectable()
export class Reads implements Reader, OnApplicationShutdown {
  /** @param threads for statements that would hold up this thread; `null` if a server does the work */
  constructor(
    private readonly source: DataSource,
    private readonly threads: LongReads | null = null,
    private readonly took: (sql: string, ms: number) => void = () => undefined,
    private readonly spanOf: (sql: string) => Span | undefined = () => undefined,
  ) {}

  /** True if the database works in the thread that answers requests, unless it is asked to read apart from it. */
  get holdsUpRequests(): boolean {
    return this.threads !== null;
  }

  of<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): ReadRepository<Entity> {
    return this.source.getRepository(entity);
  }

  select<Row>(sql: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    return this.source.query<Row[]>(sql, [...values]);
  }

  /** {@link select} for a statement of very many rows. @throws {DomainError} `overloaded`: too many wait, or it took too long */
  async selectLong<Row>(sql: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    if (this.threads === null) return this.select(sql, values);
    const start = performance.now();
    const rows = await traced(this.spanOf(sql), this.threads.run<Row>(sql, values));
    this.took(sql, performance.now() - start);
    return rows;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.threads?.stop();
  }
}

/** Reads with several statements what was true at one moment, whatever others write meanwhile. Short: SQLite keeps all since then. */
export async function withConsistentSnapshot<Result>(
  source: DataSource,
  dialect: Dialect,
  work: (reader: Reader) => Promise<Result>,
): Promise<Result> {
  return withRunner(source, async (runner) => {
    await dialect.beginSnapshot(runner);
    try {
      return await work(readerOf(runner.manager));
    } finally {
      await dialect.rollback(runner);
    }
  });
}

export async function withRunner<Result>(
  source: DataSource,
  work: (runner: QueryRunner) => Promise<Result>,
): Promise<Result> {
  const runner = source.createQueryRunner();
  try {
    return await work(runner);
  } finally {
    await runner.release();
  }
}

export async function selectIds(reader: Reader, sql: string, values: readonly SqlValue[] = []): Promise<number[]> {
  const rows = await reader.select<Readonly<Record<'id', number | string>>>(sql, values);
  return rows.map(({ id }) => Number(id));
}

/** The number that a statement selects as `n`; 0 if it is `null`, or there is no row. */
export async function selectNumber(reader: Reader, sql: string, values: readonly SqlValue[] = []): Promise<number> {
  const [row] = await reader.select<Readonly<Record<'n', number | string | null>>>(sql, values);
  return Number(row?.n ?? 0);
}
