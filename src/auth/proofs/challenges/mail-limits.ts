import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Visitor } from '../../../common/access/visitor.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import { Settings } from '../../../config/settings.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import { AccountTries, type Quota, type CounterName } from '../../limits/account-tries.js';
import { KnownClients } from '../../limits/known-clients.js';
import type { ChallengeKey } from './challenges.js';

export interface Recipient {
  /** `null`: the address has no account. */
  readonly userId: number | null;
  /** Address that gets it; `null`: none, and the answer must not show that. */
  readonly to: string | null;
}

export const RESEND_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const MAILS_PER_ADDRESS = 5;
/** Beyond those one in so many seconds: requests of strangers use the five up, and the owner is to have one all the same. */
const RESERVE_SECONDS = 600;
/** From all known devices of a user: each sign-in makes one more of them. */
const MAILS_TO_DEVICES = 15;
/** More than an hour can have: mails that go nowhere are counted like others, and use up nothing. */
const MOST_UNSENT = 1_000_000_000;

interface CountedMail extends ChallengeKey {
  readonly recipient: (manager: EntityManager) => Promise<Recipient>;
  readonly visitor: Visitor;
}

type Taken = [counter: CounterName, account: string][];

/**
 * Sends mails that can be asked for without a sign-in, within budgets per address and in all. Every address is counted,
 * also one without an account: otherwise a refusal would show which have one.
 */
@Injectable()
export class MailLimits {
  constructor(
    private readonly tries: AccountTries,
    private readonly knownClients: KnownClients,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
  ) {}

  /**
   * Sends a mail within its limits; does nothing if one was sent a moment ago. Mails to accounts, to other addresses, and
   * to accounts from their known devices have a budget each. If the second one is spent nothing is sent, and the answer is
   * as ever. A request that is refused, or fails, costs nothing. One that is answered counts also if no mail leaves.
   *
   * @param sending does all that a mail takes; if `isSent` is false, all but sending it
   * @throws {DomainError} `too_many_requests`
   */
  async send({ purpose, subject, recipient, visitor }: CountedMail, sending: (isSent: boolean) => Promise<void>) {
    const once = { limit: 1, seconds: RESEND_SECONDS };
    const account = `${purpose}\n${subject}`;
    if (!(await this.tries.takeOf('send_minute', account, once))) return;
    const taken: Taken = [['send_minute', account]];
    try {
      const client = await this.knownClients.deviceOf(visitor, subject, 'send');
      await (client ? this.requireOfDevice(account, client.id, taken) : this.requireOfAddress(account, taken));
      await sending(client !== null || (await this.takeOfAll(recipient, taken)));
    } catch (error) {
      // Otherwise the mail may be under way.
      if (!(error instanceof DomainError && error.error === 'outcome_unknown')) await this.giveBack(taken);
      throw error;
    }
  }

  private async requireOfDevice(account: string, device: string, taken: Taken): Promise<void> {
    const own = { limit: MAILS_PER_ADDRESS, seconds: HOUR_SECONDS };
    await this.require(taken, 'send_hour', `${account}\n${device}`, own);
    await this.require(taken, 'send_hour', `${account}\ndevices`, { ...own, limit: MAILS_TO_DEVICES });
    const { hourly } = this;
    if (hourly) await this.require(taken, 'mails', 'devices', hourly);
  }

  private async requireOfAddress(account: string, taken: Taken): Promise<void> {
    const quota = { limit: MAILS_PER_ADDRESS, seconds: HOUR_SECONDS };
    if (await this.take(taken, 'send_hour', account, quota)) return;
    await this.require(taken, 'send_reserve', account, { limit: 1, seconds: RESERVE_SECONDS });
  }

  /** @returns whether the mail is sent; also if it goes nowhere */
  private async takeOfAll(recipient: CountedMail['recipient'], taken: Taken): Promise<boolean> {
    const { hourly } = this;
    if (!hourly) return true;
    const { userId, to } = await this.unitOfWork.run(recipient);
    // Asked for all addresses: a refusal that only accounts met would show which are some.
    await this.tries.requireLeft('mails', '', hourly);
    // By the same statements as those that are sent.
    if (to === null) return this.take(taken, 'mails', 'unsent', { ...hourly, limit: MOST_UNSENT });
    if (await this.take(taken, 'mails', userId === null ? 'others' : '', hourly)) return true;
    if (userId !== null) await this.tries.requireLeft('mails', '', hourly);
    return false;
  }

  private async take(taken: Taken, counter: CounterName, account: string, quota: Quota): Promise<boolean> {
    const isWithin = await this.tries.takeOf(counter, account, quota);
    if (isWithin) taken.push([counter, account]);
    return isWithin;
  }

  private async require(taken: Taken, counter: CounterName, account: string, quota: Quota): Promise<void> {
    await this.tries.requireOf(counter, account, quota);
    taken.push([counter, account]);
  }

  private async giveBack(taken: Taken): Promise<void> {
    for (const [counter, account] of taken) {
      // The error before it says more than one of these. The windows end by themselves.
      await this.tries.giveBack(counter, account).catch(() => undefined);
    }
  }

  /** `null`: any number. */
  private get hourly(): Quota | null {
    const { mailsPerHour: limit } = this.settings;
    return limit === 0 ? null : { limit, seconds: HOUR_SECONDS };
  }
}
