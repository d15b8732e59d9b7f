import { QueryResult, type EntityManager, type QueryRunner } from 'typeorm';
import { execute, type SqlValue } from './statement.js';

interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Letters of text, twice the bytes of a buffer: written out at most four times as long, and servers take 16 MB. */
const MAX_WEIGHT = 1_000_000;

const queues = new WeakMap<QueryRunner, StatementQueue>();

/**
 * Statements of a unit of work whose answers nobody waits for. They go to the server in one packet with the next one
 * that somebody does wait for, which may be the `COMMIT`: most of what a small statement costs is its way there and
 * back. The server runs them in their order and stops at the first that fails, and with that the one that was waited
 * for fails.
 */
export class StatementQueue {
  private waiting: Statement[] = [];
  private weight = 0;

  private constructor(private readonly query: QueryRunner['query']) {}

  /** Has everything that is asked of a connection go through a queue, until it is released. */
  static attachTo(runner: QueryRunner): StatementQueue {
    const queue = new StatementQueue(runner.query.bind(runner));
    queues.set(runner, queue);
    Object.assign(runner, {
      query: (sql: string, values?: SqlValue[], isStructured?: boolean) => queue.send(sql, values, isStructured),
    });
    return queue;
  }

  static of(runner: QueryRunner): StatementQueue | undefined {
    return queues.get(runner);
  }

  /** Sends a statement with the next one. What waits already goes first, where it would be too much for one packet. */
  async add(sql: string, values: readonly SqlValue[] = []): Promise<void> {
    const weight = weightOf({ sql, values });
    if (this.weight + weight > MAX_WEIGHT) return this.sendNow({ sql, values }, weight);
    this.waiting.push({ sql, values });
    this.weight += weight;
  }

  /** Forgets what has not been sent. */
  drop(): void {
    this.take();
  }

  private async sendNow(statement: Statement, weight: number): Promise<void> {
    await this.flush();
    if (weight > MAX_WEIGHT) await this.query(statement.sql, [...statement.values]);
    else await this.add(statement.sql, statement.values);
  }

  private async flush(): Promise<void> {
    const last = this.waiting.pop();
    if (last) await this.send(last.sql, last.values);
  }

  private async send(sql: string, values: readonly SqlValue[] = [], isStructured = false): Promise<unknown> {
    if (this.weight > 0 && this.weight + weightOf({ sql, values }) > MAX_WEIGHT) await this.flush();
    const before = this.take();
    if (before.length === 0) return this.query(sql, [...values], isStructured as true);

    const all = [...before, { sql, values }];
    const answers: unknown = await this.query(
      all.map((statement) => statement.sql).join(';\n'),
      all.flatMap((statement) => statement.values),
    );
    const raw: unknown = (answers as unknown[]).at(-1);
    return isStructured ? structured(raw) : raw;
  }

  private take(): readonly Statement[] {
    const { waiting } = this;
    this.waiting = [];
    this.weight = 0;
    return waiting;
  }
}

/**
 * Runs a writing statement of a unit of work, now or together with the next one: for those that can only fail as the
 * whole unit does, since the failure shows wherever the next answer is waited for.
 */
export async function executeLater(
  manager: EntityManager,
  sql: string,
  values: readonly SqlValue[] = [],
): Promise<void> {
  const queue = manager.queryRunner && queues.get(manager.queryRunner);
  if (queue) await queue.add(sql, values);
  else await execute(manager, sql, values);
}

/** As TypeORM puts the answer to a statement. */
function structured(raw: unknown): QueryResult {
  const result = new QueryResult();
  result.raw = raw;
  if (Array.isArray(raw)) result.records = raw;
  const { affectedRows } = raw as { affectedRows?: number };
  if (affectedRows !== undefined) result.affected = affectedRows;
  return result;
}

function weightOf({ sql, values }: Statement): number {
  return values.reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : Buffer.isBuffer(value) ? 2 * value.length : 8),
    sql.length,
  );
}
