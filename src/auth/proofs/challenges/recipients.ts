import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AuditEvent, AuditEventName } from '../../../audit/audit-event.js';
import { Accounts } from '../../../users/rows/accounts.js';
import type { EmailAddress } from '../../../common/text/email-address.js';
import { SignUp } from '../../accounts/sign-up.js';

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
