import type { QueryRunner } from 'typeorm';
import { Writer } from '../../src/database/statements/writer.js';
import type { TestApp } from './test-app.js';

/** A statement that deletes or inserts, or several that went to the server together. */
export interface RowWrite {
  readonly sql: string;
  /** Rows that each of them wrote or deleted. */
  readonly rows: readonly number[];
}

/** What units of work insert and delete from now on. */
export function writesDuring({ app }: Pick<TestApp, 'app'>): RowWrite[] {
  const writes: RowWrite[] = [];
  const { source } = app.get(Writer);
  const createQueryRunner = source.createQueryRunner.bind(source);
  const watched = new WeakSet<QueryRunner>();
  source.createQueryRunner = (...args) => {
    const runner = createQueryRunner(...args);
    if (watched.has(runner)) return runner;
    watched.add(runner);
    const query = runner.query.bind(runner);
    const noting = async (...statement: Parameters<QueryRunner['query']>): Promise<unknown> => {
      const answer: unknown = await query(...statement);
      const sql = statement[0];
      if (/DELETE|INSERT/.test(sql)) writes.push({ sql, rows: rowsOf(answer) });
      return answer;
    };
    return Object.assign(runner, { query: noting });
  };
  return writes;
}

/** The answer as TypeORM puts it, as the server does, or to several statements. */
function rowsOf(answer: unknown): number[] {
  if (Array.isArray(answer)) return answer.flatMap(rowsOf);
  const { affected, affectedRows } = (answer ?? {}) as { affected?: number; affectedRows?: number };
  return [affected ?? affectedRows ?? 0];
}
