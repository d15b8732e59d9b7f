import { Dialect } from '../../src/database/dialect/dialect.js';
import { startTestApp, type TestApp } from './test-app.js';

/**
 * Two instances on one database that take its server for one of several that all take writes. Its locks hold all the same,
 * so what a unit of work on another server does at the very moment is done by hand; `test/cluster` has real ones.
 */
export async function twoOnSeveralWriters(): Promise<readonly [TestApp, TestApp]> {
  const one = await startTestApp();
  const other = await startTestApp({ DATABASE_URL: one.database.url });
  for (const { app } of [one, other]) {
    Object.defineProperty(app.get(Dialect), 'hasSeveralWriters', { value: true, configurable: true, writable: true });
  }
  return [one, other];
}
