import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AuditEvent, AuditEventName } from '../../../audit/audit-event.js';
import { Clock } from '../../../common/clock.js';
import type { EmailAddress } from '../../../common/text/email-address.js';
import { Settings } from '../../../config/settings.js';
import type { Letter } from '../../../mail/letter.js';
import { MailQueue } from '../../../mail/mail-queue.js';
import { Accounts } from '../../../users/rows/accounts.js';
import { SignUp } from '../../accounts/sign-up.js';
import { hashOf, isSecret } from '../../secrets/secrets.js';
import { Challenges, type ChallengeKey, type ConsumedChallenge } from './challenges.js';
import { linkTo, type LinkPurpose } from './link-owners.js';

/** What the audit calls mails that anybody can ask for. */
export type MailEventName = Extract<AuditEventName, 'otp.sent' | 'magic_link.sent' | 'password.forgot'>;

/** Who gets a mail that was asked for. */
export interface Recipient {
  /** `null`: the address has no account. */
  readonly userId: number | null;
  /** Where it goes; `null`: nowhere, and the answer must not show that. */
  readonly to: string | null;
}

/** What the audit has of a mail that was asked for; of an address that gets none it keeps a hash only. */
export function mailEvent(
  event: MailEventName,
  { key }: EmailAddress,
  { userId, to }: Recipient,
): Pick<AuditEvent, 'event' | 'outcome' | 'typedEmail' | 'reason' | 'userId' | 'email'> {
  if (to === null) return { event, outcome: 'failure', typedEmail: key, reason: 'not_sent' };
  return { event, outcome: 'success', userId, email: to };
}

/** The same recipient, who gets nothing where the budget for such mails is spent. */
export function withheldUnless(isSent: boolean, { userId, to }: Recipient): Recipient {
  return { userId, to: isSent ? to : null };
}

/** Finds the account that gets a mail, by the same statement for every address. */
@Injectable()
export class Recipients {
  constructor(
    private readonly accounts: Accounts,
    private readonly signUp: SignUp,
  ) {}

  /** A user who may sign in, or an address that may sign up. A user is mailed at the stored address, not at the typed one. */
  async ofSignIn(manager: EntityManager, email: EmailAddress): Promise<Recipient> {
    const account = await this.accounts.findByEmail(manager, email);
    if (!account) return { userId: null, to: this.signUp.isOpenTo(email) ? email.address : null };
    return { userId: account.id, to: account.disabledAt === null ? account.email : null };
  }

  /** The user of the address. */
  async ofAccount(manager: EntityManager, email: EmailAddress): Promise<Recipient> {
    const account = await this.accounts.findByEmail(manager, email);
    return { userId: account?.id ?? null, to: account?.disabledAt === null ? account.email : null };
  }
}

/** How long a link for a new password is good for. */
export const RESET_SECONDS = 1_800;

/** Purposes of links that are no sign-in. */
type MailedPurpose = Exclude<LinkPurpose, 'sign_in' | 'lock_down'>;

/** A link in a mail. */
interface MailedLink extends ChallengeKey, Recipient {
  readonly purpose: MailedPurpose;
  readonly token: string;
  /** How long it is good for. */
  readonly seconds: number;
  /** What the mail says. */
  readonly letter: (url: string, service: string) => Letter;
}

/** Mails links that are good once, and recognises them. */
@Injectable()
export class MailedLinks {
  constructor(
    private readonly challenges: Challenges,
    private readonly mail: MailQueue,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Mails a link; the one before it is over. */
  async send(manager: EntityManager, { purpose, subject, userId, to, ...link }: MailedLink): Promise<void> {
    const expiresAt = this.clock.now() + link.seconds * 1_000;
    await this.challenges.replace(manager, { purpose, subject, userId, tokenHash: hashOf(link.token), expiresAt });
    const letter = link.letter(linkTo(this.settings, purpose, link.token), this.settings.siteName);
    await this.mail.add(manager, to, letter, { expiresAt });
  }

  /**
   * The mailbox a link was made for that is good still; `null`: there is none. Only {@link consume} decides: this spares a
   * hash for a link that is not good.
   */
  async openSubjectOf(purpose: MailedPurpose, token: string): Promise<string | null> {
    return isSecret(token) ? this.challenges.openSubjectOf(purpose, hashOf(token)) : null;
  }

  /** Spends a link. @returns `null`: it is unknown, over, spent, or of no user */
  async consume(manager: EntityManager, purpose: MailedPurpose, token: string): Promise<ConsumedChallenge | null> {
    const consumed = await this.challenges.consumeByToken(manager, purpose, hashOf(token));
    return consumed?.userId == null ? null : consumed;
  }
}
