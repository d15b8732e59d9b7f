import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AuditEvent, AuditEventName } from '../../audit/audit-event.js';
import { Accounts } from '../../users/accounts.js';
import type { EmailAddress } from '../../users/email-address.js';
import { SignUp } from '../accounts/sign-up.js';

/** What the audit calls mails that anybody can ask for. */
export type MailEventName = Extract<AuditEventName, 'otp.sent' | 'magic_link.sent' | 'password.forgot'>;

/** Who gets a mail that somebody has asked for. */
export interface Recipient {
  /** `null`: nobody has that address. */
  readonly userId: number | null;
  /** Where it goes; `null`: nowhere, and nobody must notice. */
  readonly to: string | null;
}

/** What the audit is told of a mail that was asked for; of an address that gets none it keeps a hash only. */
export function mailEvent(
  event: MailEventName,
  { key }: EmailAddress,
  { userId, to }: Recipient,
): Pick<AuditEvent, 'event' | 'outcome' | 'typedEmail' | 'reason' | 'userId' | 'email'> {
  if (to === null) return { event, outcome: 'failure', typedEmail: key, reason: 'not_sent' };
  return { event, outcome: 'success', userId, email: to };
}

/** Finds out who gets mails, by the same statement whoever it is. */
@Injectable()
export class Recipients {
  constructor(
    private readonly accounts: Accounts,
    private readonly signUp: SignUp,
  ) {}

  /** Whoever may sign in, or may sign up. A user is written to as they are known here, not as somebody typed it. */
  async ofSignIn(manager: EntityManager, email: EmailAddress): Promise<Recipient> {
    const account = await this.accounts.findByEmail(manager, email);
    if (!account) return { userId: null, to: this.signUp.isOpenTo(email) ? email.address : null };
    return { userId: account.id, to: account.disabledAt === null ? account.email : null };
  }

  /** Whoever has an account. */
  async ofAccount(manager: EntityManager, email: EmailAddress): Promise<Recipient> {
    const account = await this.accounts.findByEmail(manager, email);
    return { userId: account?.id ?? null, to: account?.disabledAt === null ? account.email : null };
  }
}
