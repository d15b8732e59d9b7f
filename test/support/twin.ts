import { startTestApp, type TestApp } from './test-app.js';

/** A second instance of a service on its database: it shares nothing else with the first one. */
export function twinOf({ database }: Pick<TestApp, 'database'>, environment: Record<string, string> = {}) {
  return startTestApp({ RATE_LIMITS: 'off', DATABASE_URL: database.url, ...environment });
}
