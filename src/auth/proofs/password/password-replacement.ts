import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AuditEvent } from '../../../audit/audit-event.js';
import { Audit } from '../../../audit/audit.js';
import type { Caller } from '../../../common/access/caller.js';
import type { Visitor } from '../../../common/access/visitor.js';
import type { EmailAddress } from '../../../common/text/email-address.js';
import { Reauthorization } from '../../../database/units/reauthorization.js';
import type { Letter } from '../../../mail/letter.js';
import { Passwords } from '../../../users/passwords/passwords.js';
import type { Account } from '../../../users/rows/account.js';
import { Accounts } from '../../../users/rows/accounts.js';
import { UsersService } from '../../../users/users.service.js';
import { AccountCredentials } from '../../accounts/account-credentials.js';
import { CredentialRevocation, type Revocation } from '../../accounts/credential-revocation.js';
import { AccountTries } from '../../limits/account-tries.js';
import { sessionClient } from '../../limits/known-clients.js';
import { newSecret } from '../../secrets/secrets.js';
import { requirePresent, requireSession } from '../../tokens/access/session-ref.js';
import { Session } from '../../tokens/access/session.entity.js';
import { AskedMails } from '../challenges/asked-mails.js';
import { MailboxOwners } from '../challenges/mailbox-owners.js';
import { MailedLinks, RESET_SECONDS } from '../challenges/mailed-links.js';
import { invalidCredentials, PasswordCheck } from './login.service.js';

/** Methods of sessions that were begun, or confirmed, by a mail to the address of the account. */
const BY_MAIL: ReadonlySet<string> = new Set(['otp', 'link']);

interface Replacement {
  /** Argon2id. */
  readonly passwordHash: string;
  /** Credentials that the former password may have opened or made; `null`: nothing is left of it. */
  readonly ending: Revocation | null;
  readonly event: Pick<AuditEvent, 'event' | 'sessionId' | 'visitor'>;
}

/** Replaces passwords, with all that follows from it. */
@Injectable()
export class PasswordReplacement {
  constructor(
    readonly accounts: Accounts,
    readonly passwords: Passwords,
    private readonly credentials: CredentialRevocation,
    private readonly identities: AccountCredentials,
    private readonly audit: Audit,
  ) {}

  /**
   * Sets the password of a user who has shown the old one; `null`: it was replaced meanwhile, or the account is gone.
   *
   * @param known the account as it was when the change was allowed
   * @param sessionId of the session that asks
   */
  async replace(
    manager: EntityManager,
    known: Account,
    replacement: Replacement,
    sessionId: string,
  ): Promise<Account | null> {
    const present = await this.accounts.lock(manager, known.id);
    if (present?.passwordHash !== known.passwordHash) return null;
    await this.end(manager, present, replacement);
    const by = (await this.isOwners(manager, present, sessionId)) ? 'owner' : 'others';
    return this.accounts.setPassword(manager, present, replacement.passwordHash, by);
  }

  /**
   * True if a session is that of the owner, who has shown in it that they read the mail. Others who know the password may
   * have linked an identity meanwhile.
   */
  private async isOwners(manager: EntityManager, { id, emailVerifiedAt, passwordGivenAt }: Account, sessionId: string) {
    if (passwordGivenAt === null || emailVerifiedAt === null) return false;
    const session = await manager.findOneBy(Session, { id: sessionId });
    const hasProof = session?.amr.split(' ').some((means) => BY_MAIL.has(means)) === true;
    return hasProof && !(await this.identities.hasIdentity(manager, id, passwordGivenAt));
  }

  /** Sets the password of an owner who reads the mail of the account. @param account held still in this unit of work */
  async set(manager: EntityManager, account: Account, replacement: Replacement): Promise<Account> {
    await this.end(manager, account, replacement);
    return this.accounts.setPassword(manager, account, replacement.passwordHash, 'owner');
  }

  /** The owner is mailed a notice of the event. */
  private async end(manager: EntityManager, account: Account, { ending, event }: Replacement): Promise<void> {
    if (ending) await this.credentials.revoke(manager, account, ending);
    const { id: userId, email } = account;
    await this.audit.add(manager, { ...event, outcome: 'success', userId, email });
  }
}

/** The session in which the former password was shown goes on, as do the API tokens of the user. */
const AFTER_CHANGE: Revocation = { reason: 'password_changed', kinds: ['challenges', 'sessions'] };

/** Lets users change their passwords. */
@Injectable()
export class PasswordChangeService {
  constructor(
    private readonly users: UsersService,
    private readonly check: PasswordCheck,
    private readonly replacement: PasswordReplacement,
    private readonly reauthorization: Reauthorization,
    private readonly audit: Audit,
  ) {}

  /**
   * Replaces the password, which its owner is mailed, and ends all sessions but the one that asks.
   *
   * @throws {DomainError} `invalid_credentials`: that is not the present password; `invalid_token`,
   *   `too_many_requests`, `overloaded`
   */
  async change(caller: Caller, order: Readonly<Record<'current_password' | 'password', string>>, visitor: Visitor) {
    const { userId, sessionId } = requireSession(caller);
    const account = requirePresent(await this.users.find(userId));
    const shown = { visitor, client: sessionClient(sessionId, account) };
    const checked = await this.check.check(account.emailKey, order.current_password, shown);
    const event = { event: 'password.changed', sessionId, visitor } as const;
    if (!checked) {
      const { email } = account;
      this.audit.note({ ...event, outcome: 'failure', reason: 'invalid_credentials', userId, email });
      throw invalidCredentials();
    }
    this.replacement.passwords.requireImpersonal(order.password, account);
    const passwordHash = await this.replacement.passwords.hash(order.password);
    const hold = async (manager: EntityManager) => {
      await this.replacement.accounts.lock(manager, userId);
    };
    await this.reauthorization.run({ caller, scope: null, hold }, async (manager) => {
      const replacement = { passwordHash, ending: { ...AFTER_CHANGE, staying: sessionId }, event };
      const present = await this.replacement.replace(manager, checked.account, replacement, sessionId);
      if (!present) throw invalidCredentials();
    });
  }
}

/** The former password may be known to others: what it opened or made ends. */
const AFTER_RESET: Revocation = {
  reason: 'password_changed',
  kinds: ['challenges', 'sessions', 'tokens', 'given_identities'],
};

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
    private readonly proofs: MailboxOwners,
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
   * Ends all sessions, which the owner is mailed, and opens none. The wait after wrong passwords is over.
   *
   * @throws {DomainError} `invalid_link`, `account_disabled`, `overloaded`
   */
  async reset({ token, password }: Readonly<Record<'token' | 'password', string>>, visitor: Visitor): Promise<void> {
    const event = { event: 'password.reset', visitor } as const;
    const account = await this.proofs.take({ ...event, purpose: 'password_reset', token }, async () => {
      const passwordHash = await this.replacement.passwords.hash(password);
      return (manager, proven) => {
        this.replacement.passwords.requireImpersonal(password, proven.account);
        // The first proof of the address has ended everything already.
        const ending = proven.isStripped ? null : AFTER_RESET;
        return this.replacement.set(manager, proven.account, { passwordHash, ending, event });
      };
    });
    await this.tries.forget('login', account.emailKey);
  }
}
