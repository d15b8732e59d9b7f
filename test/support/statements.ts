import { DataSource } from 'typeorm';
import { Writer } from '../../src/database/statements/writer.js';
import type { TestApp } from './test-app.js';

/** The statements that are sent over connections from now on. */
export function statementsOver(...sources: readonly DataSource[]): string[] {
  const statements: string[] = [];
  for (const source of sources) {
    source.logger = Object.assign(Object.create(source.logger) as typeof source.logger, {
      logQuery: (sql: string) => statements.push(sql),
    });
  }
  return statements;
}

/** What the service asks its database from now on, by reading and by writing. */
export function statementsDuring({ app }: Pick<TestApp, 'app'>): string[] {
  return statementsOver(app.get(DataSource), app.get(Writer).source);
}
