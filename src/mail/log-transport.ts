import type { Logger } from 'pino';
import { secretsOf, subjectOf } from './letter-text.js';
import type { Mail } from './mail.js';
import { MailTransport } from './mail-transport.js';

/** Tells the log of each mail, and sends none. */
export class LogTransport extends MailTransport {
  /** @param tellsSecrets whether the log may tell what the letters hold */
  constructor(
    private readonly log: Logger,
    private readonly tellsSecrets: boolean,
  ) {
    super();
  }

  send({ to, letter }: Mail): Promise<void> {
    this.log.info({ to, subject: subjectOf(letter), ...(this.tellsSecrets ? secretsOf(letter) : {}) }, 'mail');
    return Promise.resolve();
  }

  close(): void {
    // There is nothing to close.
  }
}
