import type { QueryRunner } from 'typeorm';
import { Writer } from '../../src/database/writer.js';
import type { TestApp } from './test-app.js';

/** A statement that deletes, or several that went to the server together. */
export interface Deletion {
  readonly sql: string;
  /** Rows that each of them deleted. */
  readonly rows: readonly number[];
}

/** What units of work delete from now on. */
export function deletionsDuring({ app }: Pick<TestApp, 'app'>): Deletion[] {
  const deletions: Deletion[] = [];
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
      if (sql.includes('DELETE')) deletions.push({ sql, rows: rowsOf(answer) });
      return answer;
    };
    return Object.assign(runner, { query: noting });
  };
  return deletions;
}

/** The answer as TypeORM puts it, as the server does, or to several statements. */
function rowsOf(answer: unknown): number[] {
  if (Array.isArray(answer)) return answer.flatMap(rowsOf);
  const { affected, affectedRows } = (answer ?? {}) as { affected?: number; affectedRows?: number };
  return [affected ?? affectedRows ?? 0];
}
