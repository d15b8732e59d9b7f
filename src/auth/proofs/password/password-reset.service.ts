import { Injectable } from '@nestjs/common';
import type { Visitor } from '../../../common/access/visitor.js';
import type { EmailAddress } from '../../../common/text/email-address.js';
import type { Letter } from '../../../mail/letter.js';
import type { Revocation } from '../../accounts/credential-revocation.js';
import { AccountTries } from '../../limits/account-tries.js';
import { newSecret } from '../../secrets/secrets.js';
import { AskedMails } from '../challenges/asked-mails.js';
import { LinkProofs } from '../challenges/mailbox-owners.js';
import { MailedLinks, RESET_SECONDS } from '../challenges/mailed-links.js';
import { PasswordReplacement } from './password-replacement.js';

/** The former password may be known to others: what it opened or made ends. */
const AFTER_RESET: Revocation = {
  reason: 'password_changed',
  kinds: ['challenges', 'sessions', 'tokens', 'given_identities'],
};

/** With the link for a new password. */
function resetLetter(url: string, service: string): Letter {
  return {
    subject: `A new password for ${service}`,
    paragraphs: [`A new password was asked for, for your account at ${service}. If that was you, choose one:`],
    action: { label: 'Choose a new password', url },
    footer: 'The link works once, within 30 minutes. If it was not you, do nothing: your password stays as it is.',
  };
}

/** Mails links for a new password, and sets it for those who have followed theirs. */
@Injectable()
export class PasswordResetService {
  constructor(
    private readonly asked: AskedMails,
    private readonly links: MailedLinks,
    private readonly proofs: LinkProofs,
    private readonly replacement: PasswordReplacement,
    private readonly tries: AccountTries,
  ) {}

  /** @throws {DomainError} `too_many_requests` */
  mail(email: EmailAddress, visitor: Visitor): Promise<void> {
    const kind = { purpose: 'password_reset' } as const;
    const link = { ...kind, subject: email.key, token: newSecret(), seconds: RESET_SECONDS, letter: resetLetter };
    return this.asked.send({ ...kind, event: 'password.forgot', email, visitor }, (manager, recipient) =>
      this.links.send(manager, { ...link, ...recipient }),
    );
  }

  /**
   * Ends all sessions, mails a notice to the owner, and opens no session. The wait after wrong passwords is over.
   *
   * @throws {DomainError} `invalid_link`, `account_disabled`, `overloaded`
   */
  async reset({ token, password }: Readonly<Record<'token' | 'password', string>>, visitor: Visitor): Promise<void> {
    const event = { event: 'password.reset', visitor } as const;
    const account = await this.proofs.take({ ...event, purpose: 'password_reset', token }, async () => {
      const passwordHash = await this.replacement.hash(password);
      return (manager, proven) => {
        this.replacement.requireImpersonal(password, proven.account);
        // The first proof of the address has ended everything already.
        const ending = proven.isStripped ? null : AFTER_RESET;
        return this.replacement.set(manager, proven.account, { passwordHash, ending, event });
      };
    });
    this.replacement.settled();
    await this.tries.forget('login', account.emailKey);
  }
}
