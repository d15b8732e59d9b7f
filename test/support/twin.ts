import type { MailedApp } from './mailed-app.js';
import { startTestApp, type TestApp } from './test-app.js';

/** What a second instance shares with the first one. */
type Shared = Pick<TestApp, 'database'> & Partial<Pick<MailedApp, 'mailbox'>>;

/**
 * A second instance of a service on its database, with its mailbox: of all instances the one that looks first takes a
 * mail out of the queue.
 */
export function twinOf({ database, mailbox }: Shared, environment: Record<string, string> = {}): Promise<TestApp> {
  return startTestApp({ RATE_LIMITS: 'off', DATABASE_URL: database.url, ...mailbox?.environment, ...environment });
}
