import { Mailbox } from './mailbox.js';
import { startTestApp, type TestApp } from './test-app.js';

/** A service whose mails come to a mailbox. */
export interface MailedApp extends TestApp {
  readonly mailbox: Mailbox;
}

/** Its requests are not counted. */
export async function startMailedApp(environment: Record<string, string> = {}): Promise<MailedApp> {
  const mailbox = await Mailbox.open();
  const service = await startTestApp({ ...mailbox.environment, RATE_LIMITS: 'off', ...environment });
  const close = async () => {
    await service.close();
    await mailbox.close();
  };
  return { ...service, mailbox, close };
}
