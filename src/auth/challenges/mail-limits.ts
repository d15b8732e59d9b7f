import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { AccountTries } from '../limits/account-tries.js';
import type { ChallengeKey } from './challenges.js';

/** Seconds until another mail of the same kind is sent. */
export const RESEND_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const MAILS_PER_ADDRESS = 5;

/**
 * Decides whether a mail leaves that anybody can ask for. Every address is counted, also one that nobody has:
 * otherwise what is refused would tell who has an account.
 */
@Injectable()
export class MailLimits {
  constructor(
    private readonly tries: AccountTries,
    private readonly settings: Settings,
  ) {}

  /**
   * @returns whether to send one; `false`: it was done a moment ago, and what was sent then still works
   * @throws {DomainError} `too_many_requests`: more than five an hour to an address, or more than may leave in all
   */
  async take({ purpose, subject }: ChallengeKey): Promise<boolean> {
    const once = { limit: 1, seconds: RESEND_SECONDS };
    const account = `${purpose}\n${subject}`;
    if (!(await this.tries.takeOf('send_minute', account, once))) return false;
    try {
      await this.requireBudget(subject);
    } catch (error) {
      // Otherwise the next request would be told that a mail was sent a moment ago.
      await this.tries.giveBack('send_minute', account);
      throw error;
    }
    return true;
  }

  private async requireBudget(subject: string): Promise<void> {
    await this.tries.requireOf('send_hour', subject, { limit: MAILS_PER_ADDRESS, seconds: HOUR_SECONDS });
    const { mailsPerHour } = this.settings.signIn;
    if (mailsPerHour > 0) await this.tries.requireOf('mails', '', { limit: mailsPerHour, seconds: HOUR_SECONDS });
  }
}
