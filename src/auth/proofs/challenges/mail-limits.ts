import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Visitor } from '../../../common/access/visitor.js';
import { Settings } from '../../../config/settings.js';
import { UnitOfWork } from '../../../database/unit-of-work.js';
import { AccountTries, type Allowed } from '../../limits/account-tries.js';
import { KnownPlaces } from '../../limits/known-places.js';
import type { ChallengeKey } from './challenges.js';
import type { Recipient } from './recipients.js';

/** Seconds until another mail of the same kind is sent. */
export const RESEND_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const MAILS_PER_ADDRESS = 5;
/**
 * Beyond those one in so many seconds, as long as a code is good: requests of strangers use the five up, and the owner of
 * the mailbox is to have one that opens the account all the same.
 */
const RESERVE_SECONDS = 600;
/** From all known devices of a user: each sign-in makes one more of them. */
const MAILS_TO_DEVICES = 15;

/** What to do about a mail that was asked for: nothing, since it was sent a moment ago; all but sending it; or all. */
export type MailDecision = 'sent_before' | 'withheld' | 'send';

/** A mail that was asked for. */
interface AskedMail extends ChallengeKey {
  /** Finds out who would get it. */
  readonly recipient: (manager: EntityManager) => Promise<Recipient>;
  readonly visitor: Visitor;
}

/**
 * Decides whether a mail leaves that anybody can ask for. Every address is counted, also one without an account:
 * otherwise what is refused would show which have one.
 */
@Injectable()
export class MailLimits {
  constructor(
    private readonly tries: AccountTries,
    private readonly places: KnownPlaces,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
  ) {}

  /**
   * Mails to accounts, to other addresses, and to accounts from their known devices have a budget each, so that none uses
   * up that of another. Where the second one is spent nothing is sent, and the answer is as ever.
   *
   * @throws {DomainError} `too_many_requests`: more than five an hour of that kind to an address (15 from known devices) and one in the
   *   last ten minutes, or more than may leave in all to accounts, or from known devices
   */
  async decide({ purpose, subject, recipient, visitor }: AskedMail): Promise<MailDecision> {
    const once = { limit: 1, seconds: RESEND_SECONDS };
    const account = `${purpose}\n${subject}`;
    if (!(await this.tries.takeOf('send_minute', account, once))) return 'sent_before';
    try {
      const place = await this.places.deviceOf(visitor, subject, 'send');
      await (place ? this.requireOfDevice(account, place.id) : this.requireOfAddress(account));
      return place !== null || (await this.takeOfAll(recipient)) ? 'send' : 'withheld';
    } catch (error) {
      // Otherwise the next request would hear that a mail was sent a moment ago.
      await this.tries.giveBack('send_minute', account);
      throw error;
    }
  }

  private async requireOfDevice(account: string, device: string): Promise<void> {
    const own = { limit: MAILS_PER_ADDRESS, seconds: HOUR_SECONDS };
    await this.tries.requireOf('send_hour', `${account}\n${device}`, own);
    await this.tries.requireOf('send_hour', `${account}\ndevices`, { ...own, limit: MAILS_TO_DEVICES });
    const { hourly } = this;
    if (hourly) await this.tries.requireOf('mails', 'devices', hourly);
  }

  private async requireOfAddress(account: string): Promise<void> {
    const isWithin = await this.tries.takeOf('send_hour', account, { limit: MAILS_PER_ADDRESS, seconds: HOUR_SECONDS });
    if (!isWithin) await this.tries.requireOf('send_reserve', account, { limit: 1, seconds: RESERVE_SECONDS });
  }

  private async takeOfAll(recipient: AskedMail['recipient']): Promise<boolean> {
    const { hourly } = this;
    if (!hourly) return true;
    const { userId, to } = await this.unitOfWork.run(recipient);
    const isAccount = userId !== null && to !== null;
    // Asked for all addresses: a refusal that only accounts met would show which are some.
    await this.tries.requireLeft('mails', '', hourly);
    if (await this.tries.takeOf('mails', isAccount ? '' : 'others', hourly)) return true;
    if (isAccount) await this.tries.requireLeft('mails', '', hourly);
    return false;
  }

  /** `null`: any number. */
  private get hourly(): Allowed | null {
    const { mailsPerHour: limit } = this.settings.signIn;
    return limit === 0 ? null : { limit, seconds: HOUR_SECONDS };
  }
}
