import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOG } from '../common/logging/logging.module.js';
import { isMailAddress } from '../common/text/mail-address.js';
import { pauseAfter, reasonOf } from './attempts.js';
import { AgreedTime } from '../database/units/agreed-time.js';
import { MailRefusedError, MailTransport } from './transports/mail-transport.js';
import { MailSeal, type SealedMail } from './mail-seal.js';
import { QueuedMails, type ClaimedMail } from './queued-mails.js';

/** One attempt at one mail, and what comes of it. */
@Injectable()
export class Delivery {
  constructor(
    private readonly mails: QueuedMails,
    private readonly transport: MailTransport,
    private readonly seal: MailSeal,
    private readonly time: AgreedTime,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** @param isStopping whether a failure is our own doing */
  async attempt(mail: ClaimedMail, isStopping: () => boolean): Promise<void> {
    const opened = this.seal.open(mail.content);
    if (!opened) {
      this.log.error({ mail: mail.id }, 'a mail cannot be read and is dropped: APP_SECRET is not what it was');
    } else if (opened.to !== null && !(await this.isDone(mail, opened, opened.to, isStopping))) {
      return;
    }
    await this.mails.remove(mail);
  }

  /** Whether there is nothing left to do for a mail. */
  private async isDone(
    mail: ClaimedMail,
    { id, letter }: SealedMail,
    to: string,
    isStopping: () => boolean,
  ): Promise<boolean> {
    if (mail.expiresAt <= (await this.time.now())) return this.giveUp(mail, to, mail.lastError);
    try {
      if (!isMailAddress(to)) throw new MailRefusedError('This is no address that mail can be sent to.');
      await this.transport.send({ id, to, letter, createdAt: mail.createdAt });
      this.log.info({ mail: mail.id, attempts: mail.attempts }, this.transport.done);
      return true;
    } catch (error) {
      if (isStopping()) return this.handBack(mail);
      const reason = reasonOf(error, letter);
      return error instanceof MailRefusedError ? this.giveUp(mail, to, reason) : this.tryLater(mail, to, reason);
    }
  }

  private async tryLater(mail: ClaimedMail, to: string, reason: string): Promise<boolean> {
    const now = await this.time.now();
    const dueAt = now + pauseAfter(mail.attempts);
    if (dueAt >= mail.expiresAt) return this.giveUp(mail, to, reason);
    this.log.warn(
      { mail: mail.id, attempts: mail.attempts, again_in_s: Math.ceil((dueAt - now) / 1_000), reason },
      'a mail could not be sent yet',
    );
    await this.mails.postpone(mail, dueAt, reason);
    return false;
  }

  private async handBack(mail: ClaimedMail): Promise<boolean> {
    await this.mails.postpone(mail, await this.time.now(), mail.lastError);
    return false;
  }

  private giveUp({ id, attempts }: ClaimedMail, to: string, reason: string | null): boolean {
    this.log.error({ mail: id, to, attempts, reason }, 'a mail could not be delivered and is dropped');
    return true;
  }
}
