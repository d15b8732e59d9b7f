import type { Logger } from 'pino';
import { secretsOf, subjectOf } from '../letter.js';
import type { Mail } from '../mail-composer.js';
import { MailTransport } from './mail-transport.js';

/** Writes each mail to the log, and sends none. */
export class LogTransport extends MailTransport {
  readonly done = 'mail written to the log, from where it reaches nobody';

  /** @param logsSecrets whether the log may show the links and codes of the letters */
  constructor(
    private readonly log: Logger,
    private readonly logsSecrets: boolean,
  ) {
    super();
  }

  send({ to, letter }: Mail): Promise<void> {
    this.log.info({ to, subject: subjectOf(letter), ...(this.logsSecrets ? secretsOf(letter) : {}) }, 'mail');
    return Promise.resolve();
  }
}
