import { setImmediate as nextTurn } from 'node:timers/promises';
import { QueryResult, type EntityManager, type QueryRunner } from 'typeorm';
import { writtenOut, weightOf, weightOfRow, type PacketLimit, type Statement } from '../dialect/packet-limit.js';
import { execute, placeholders, select, type SqlValue } from './statement.js';

/** A statement that waits, and the place for what the server said to it. */
interface Waiting extends Statement {
  answer?: unknown;
}

/** SQLite takes 32,766 values in one statement; to write so many rows with their indexes takes it some 15 ms. */
const MAX_VALUES = 10_000;

const queues = new WeakMap<QueryRunner, StatementQueue>();

/**
 * Statements of a unit of work whose answers are not awaited. They go to the server in one packet with the next awaited one:
 * a small statement costs little but its way. The server stops at the first that fails, and the awaited one fails with it.
 */
export class StatementQueue {
  private waiting: Waiting[] = [];
  private weight = 0;

  private constructor(
    private readonly query: QueryRunner['query'],
    private readonly limit: PacketLimit,
  ) {}

  /** Routes all statements of a connection through a queue, until the connection is released. */
  static attachTo(runner: QueryRunner, limit: PacketLimit): StatementQueue {
    const queue = new StatementQueue(runner.query.bind(runner), limit);
    queues.set(runner, queue);
    Object.assign(runner, {
      query: (sql: string, values?: SqlValue[], isStructured?: boolean) => queue.send(sql, values, isStructured),
    });
    return queue;
  }

  static of(runner: QueryRunner): StatementQueue | undefined {
    return queues.get(runner);
  }

  /** The most that the rows of one statement may weigh together. */
  get capacity(): number {
    return this.limit.weight;
  }

  /**
   * Sends a statement with the next one, after what waits already if one packet cannot hold both.
   * @throws {DomainError} `payload_too_large`: the server takes no such statement
   */
  async add(sql: string, values: readonly SqlValue[] = []): Promise<void> {
    const weight = weightOf({ sql, values });
    this.limit.requireFits({ sql, values }, weight);
    if (this.weight + weight > this.capacity) return this.sendNow({ sql, values }, weight);
    this.put({ sql, values }, weight);
  }

  /** Queues a short statement. The returned function resolves to its answer, and sends the queue first if it still waits. */
  ask(sql: string, values: readonly SqlValue[]): () => Promise<unknown> {
    const statement: Waiting = { sql, values };
    this.put(statement, weightOf(statement));
    return async () => {
      if (statement.answer === undefined) await this.flush();
      return statement.answer;
    };
  }

  /** Sends what waits. */
  async flush(): Promise<void> {
    const waiting = this.take();
    if (waiting.length > 0) await this.run(waiting);
  }

  /** Forgets what has not been sent. */
  drop(): void {
    this.take();
  }

  private put(statement: Waiting, weight: number): void {
    this.waiting.push(statement);
    this.weight += weight;
  }

  private async sendNow(statement: Statement, weight: number): Promise<void> {
    await this.flush();
    if (weight > this.capacity) await this.run([statement]);
    else await this.add(statement.sql, statement.values);
  }

  private async send(sql: string, values: readonly SqlValue[] = [], isStructured = false): Promise<unknown> {
    const weight = weightOf({ sql, values });
    this.limit.requireFits({ sql, values }, weight);
    if (this.weight > 0 && this.weight + weight > this.capacity) await this.flush();
    const statement: Waiting = { sql, values };
    await this.run([...this.take(), statement]);
    return isStructured ? structured(statement.answer) : statement.answer;
  }

  /** One after the other where they may not be in one packet: they end at the first that fails in either case. */
  private async run(all: readonly Waiting[]): Promise<void> {
    if (this.limit.isOfCluster) for (const statement of all) await this.runTogether([statement]);
    else await this.runTogether(all);
  }

  private async runTogether(all: readonly Waiting[]): Promise<void> {
    const answer: unknown = await this.query(
      all.map(({ sql }) => sql).join(';\n'),
      all.flatMap(({ values }) => values.map(writtenOut)),
    );
    for (const [at, statement] of all.entries()) {
      statement.answer = all.length === 1 ? answer : (answer as unknown[])[at];
    }
  }

  private take(): readonly Waiting[] {
    const { waiting } = this;
    this.waiting = [];
    this.weight = 0;
    return waiting;
  }
}

/** Runs a writing statement now or with the next one. Its failure fails the whole unit, at the next awaited answer. */
export async function executeLater(
  manager: EntityManager,
  sql: string,
  values: readonly SqlValue[] = [],
): Promise<void> {
  const queue = queueOf(manager);
  if (queue) await queue.add(sql, values);
  else await execute(manager, sql, values);
}

/** Reads rows with the next statement of the unit. @returns hands them out, best when that statement was answered */
export async function selectLater<Row>(
  manager: EntityManager,
  sql: string,
  values: readonly SqlValue[] = [],
): Promise<() => Promise<Row[]>> {
  const answer = queueOf(manager)?.ask(sql, values);
  if (answer) return async () => ((await answer()) as Row[] | undefined) ?? select<Row>(manager, sql, values);
  const rows = await select<Row>(manager, sql, values);
  return () => Promise.resolve(rows);
}

/** {@link executeLater} for a short statement. @returns resolves to the number of changed rows, best after the next answer */
export function executeCounted(
  manager: EntityManager,
  sql: string,
  values: readonly SqlValue[],
): Promise<() => Promise<number>> {
  const answer = queueOf(manager)?.ask(sql, values);
  if (answer) return Promise.resolve(async () => structured(await answer()).affected ?? 0);
  return execute(manager, sql, values).then(
    ({ affected }) =>
      () =>
        Promise.resolve(affected),
  );
}

/** {@link executeCounted} for an `INSERT` of one row. @returns resolves to the id of the row */
export function insertLater(
  manager: EntityManager,
  sql: string,
  values: readonly SqlValue[],
): Promise<() => Promise<number>> {
  const answer = queueOf(manager)?.ask(sql, values);
  if (answer) return Promise.resolve(async () => ((await answer()) as { readonly insertId: number }).insertId);
  return execute(manager, sql, values).then(
    ({ insertId }) =>
      () =>
        Promise.resolve(insertId),
  );
}

/**
 * Inserts rows in as many statements as the database wants. Other work of the process has its turn between two of them.
 * @param head all up to `VALUES` @param tail what stands behind the rows
 * @param rows of one length; each statement takes its own out of them when the one before it is written
 * @param write {@link execute} if a row may be refused
 */
export async function insertRows(
  manager: EntityManager,
  head: string,
  rows: Iterable<readonly SqlValue[]>,
  { tail = '', write = executeLater }: { tail?: string; write?: typeof executeLater | typeof execute } = {},
): Promise<void> {
  let isFirst = true;
  for (const some of portionsOf(rows, queueOf(manager)?.capacity)) {
    if (!isFirst) await nextTurn();
    isFirst = false;
    const places = Array<string>(some.length).fill(`(${placeholders(some[0] ?? [])})`);
    await write(manager, `${head} VALUES ${places.join(', ')} ${tail}`.trimEnd(), some.flat());
  }
}

/** Rows that one statement takes together; one by itself however heavy it is. */
function* portionsOf(rows: Iterable<readonly SqlValue[]>, capacity = Infinity): Generator<(readonly SqlValue[])[]> {
  let portion: (readonly SqlValue[])[] = [];
  let weight = 0;
  for (const row of rows) {
    const own = capacity === Infinity ? 0 : weightOfRow(row);
    const isFull = weight + own > capacity || (portion.length + 1) * row.length > MAX_VALUES;
    if (isFull && portion.length > 0) {
      yield portion;
      portion = [];
      weight = 0;
    }
    portion.push(row);
    weight += own;
  }
  if (portion.length > 0) yield portion;
}

function queueOf({ queryRunner }: EntityManager): StatementQueue | undefined {
  return queryRunner && queues.get(queryRunner);
}

/** The answer to a statement in the shape that TypeORM returns. */
function structured(raw: unknown): QueryResult {
  const result = new QueryResult();
  result.raw = raw;
  if (Array.isArray(raw)) result.records = raw;
  const { affectedRows } = raw as { affectedRows?: number };
  if (affectedRows !== undefined) result.affected = affectedRows;
  return result;
}
