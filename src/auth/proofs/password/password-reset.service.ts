import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../audit/audit.js';
import type { Visitor } from '../../../common/access/visitor.js';
import type { EmailAddress } from '../../../common/text/email-address.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import type { Letter } from '../../../mail/letter.js';
import type { Account } from '../../../users/rows/account.js';
import type { Revocation } from '../../accounts/credential-revocation.js';
import { AccountTries } from '../../limits/account-tries.js';
import { newSecret } from '../../secrets/secrets.js';
import { invalidLink } from '../challenges/link-owners.js';
import { MailLimits } from '../challenges/mail-limits.js';
import { MailboxOwners, type Prove } from '../challenges/mailbox-owners.js';
import { MailedLinks, RESET_SECONDS, mailEvent, Recipients, withheldUnless } from '../challenges/mailed-links.js';
import { PasswordReplacement } from './password-replacement.js';

/** The former password may be known to others: what it opened or made ends. */
const AFTER_RESET: Revocation = {
  reason: 'password_changed',
  kinds: ['challenges', 'sessions', 'tokens', 'given_identities'],
};

/** What is sent to replace a forgotten password. */
export interface PasswordReset {
  /** Out of the link. */
  readonly token: string;
  readonly password: string;
}

/** Sets new passwords for those who have followed the link in their mail. */
@Injectable()
export class PasswordResetService {
  constructor(
    private readonly links: MailedLinks,
    private readonly owners: MailboxOwners,
    private readonly replacement: PasswordReplacement,
    private readonly tries: AccountTries,
    private readonly audit: Audit,
  ) {}

  /**
   * Ends all sessions, mails a notice to the owner, and opens no session. The wait after wrong passwords is over.
   *
   * @throws {DomainError} `invalid_link`, `account_disabled`, `overloaded`
   */
  async reset(reset: PasswordReset, visitor: Visitor): Promise<void> {
    const account = await this.audit.noteRefusal({ event: 'password.reset', visitor }, () =>
      this.accountOf(reset, visitor),
    );
    this.replacement.settled();
    await this.tries.forget('login', account.emailKey);
  }

  private async accountOf({ token, password }: PasswordReset, visitor: Visitor): Promise<Account> {
    const emailKey = await this.links.openSubjectOf('password_reset', token);
    if (emailKey === null) throw invalidLink();
    const passwordHash = await this.replacement.hash(password);
    const account = await this.owners.proving({ emailKey, visitor }, (manager, prove) =>
      this.set(manager, prove, { token, password, passwordHash }, visitor),
    );
    if (!account) throw invalidLink();
    return account;
  }

  private async set(
    manager: EntityManager,
    prove: Prove,
    { token, password, passwordHash }: PasswordReset & { readonly passwordHash: string },
    visitor: Visitor,
  ): Promise<Account | null> {
    const consumed = await this.links.consume(manager, 'password_reset', token);
    if (!consumed) return null;
    const { account, isStripped } = await prove({ address: consumed.subject, key: consumed.subject });
    this.replacement.requireImpersonal(password, account);
    const { id: userId, email } = account;
    await this.audit.add(manager, { event: 'password.reset', outcome: 'success', userId, email, visitor });
    // The first proof of the address has ended everything already.
    return this.replacement.set(manager, account, { passwordHash, ending: isStripped ? null : AFTER_RESET });
  }
}

/** With the link for a new password. */
function resetLetter(url: string, service: string): Letter {
  return {
    subject: `A new password for ${service}`,
    paragraphs: [`A new password was asked for, for your account at ${service}. If that was you, choose one:`],
    action: { label: 'Choose a new password', url },
    footer: 'The link works once, within 30 minutes. If it was not you, do nothing: your password stays as it is.',
  };
}

/** Mails links for a new password. Every address is dealt with by the same statements, also one without an account. */
@Injectable()
export class ForgottenPasswords {
  constructor(
    private readonly limits: MailLimits,
    private readonly unitOfWork: UnitOfWork,
    private readonly recipients: Recipients,
    private readonly links: MailedLinks,
    private readonly audit: Audit,
  ) {}

  /** @throws {DomainError} `too_many_requests` */
  async send(email: EmailAddress, visitor: Visitor): Promise<void> {
    const asked = {
      purpose: 'password_reset',
      subject: email.key,
      recipient: (manager: EntityManager) => this.recipients.ofAccount(manager, email),
      visitor,
    } as const;
    await this.limits.send(asked, (isSent) => {
      const mail = { token: newSecret(), isSent };
      return this.unitOfWork.run((manager) => this.post(manager, email, mail, visitor));
    });
  }

  private async post(
    manager: EntityManager,
    email: EmailAddress,
    { token, isSent }: { readonly token: string; readonly isSent: boolean },
    visitor: Visitor,
  ): Promise<void> {
    const recipient = withheldUnless(isSent, await this.recipients.ofAccount(manager, email));
    await this.links.send(manager, {
      purpose: 'password_reset',
      subject: email.key,
      ...recipient,
      token,
      seconds: RESET_SECONDS,
      letter: resetLetter,
    });
    await this.audit.add(manager, { ...mailEvent('password.forgot', email, recipient), visitor });
  }
}
