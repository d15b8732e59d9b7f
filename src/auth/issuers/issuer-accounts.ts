import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import type { Visitor } from '../../common/access/visitor.js';
import { Clock } from '../../common/clock.js';
import type { IssuerRules } from '../../config/issuer-settings.js';
import { Settings } from '../../config/settings.js';
import { insertRow } from '../../database/statements/statement.js';
import { Accounts } from '../../users/rows/accounts.js';
import type { EmailAddress } from '../../common/text/email-address.js';
import { unreachableAddress } from '../../users/rows/unreachable-address.js';
import { Identity, providerOfIssuer } from '../accounts/identity.entity.js';
import type { AdmittedPerson } from './foreign-claims.js';

/** Creates accounts for users of issuers and gateways, and stores their role and last use. */
@Injectable()
export class IssuerAccounts {
  constructor(
    private readonly settings: Settings,
    private readonly accounts: Accounts,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  /** An account of its own for a person who has none. Another request may have been first. */
  async register(
    manager: EntityManager,
    person: AdmittedPerson,
    { isEmailTrusted: isTrusted }: IssuerRules,
    visitor: Visitor | null,
  ): Promise<void> {
    const provider = providerOfIssuer(person.issuer);
    if (await manager.existsBy(Identity, { provider, subject: person.subject })) return;

    const own = await this.addressFor(manager, person, isTrusted);
    const newcomer = { name: person.name, isProved: own !== null && isTrusted, issuerRole: person.role };
    const { id: userId, email } = await this.accounts.register(
      manager,
      own ?? unreachableAddress(person.issuer),
      newcomer,
    );
    const now = this.clock.now();
    await insertRow(manager, Identity, {
      provider,
      issuer: '',
      subject: person.subject,
      userId,
      email: person.email?.address ?? null,
      createdAt: now,
      lastUsedAt: now,
    });
    await this.audit.add(manager, { event: 'user.created', outcome: 'success', userId, email, provider, visitor });
  }

  /**
   * Stores that an identity was used, and the role that its issuer names.
   *
   * @returns whether it was: neither is stored of an identity that is not linked any more, or of a disabled account
   */
  async note(manager: EntityManager, userId: number, { issuer, subject, role }: AdmittedPerson): Promise<boolean> {
    const provider = providerOfIssuer(issuer);
    const isLinked = {
      sql: 'EXISTS (SELECT 1 FROM auth_identities WHERE user_id = ? AND provider = ? AND subject = ?)',
      values: [userId, provider, subject],
    };
    if (!(await this.accounts.setIssuerRole(manager, userId, role, isLinked))) return false;
    await manager.update(Identity, { userId, provider, subject }, { lastUsedAt: this.clock.now() });
    return true;
  }

  /**
   * The address that the account gets; `null`: one at which no mail arrives. An address that the operator does not vouch
   * for is taken only where its owner may sign up anyway: a code mailed there opens the account, also to a person who
   * has left the issuer. It stays unproved, so that the first proof by mail makes the account that of the reader alone.
   *
   * @see ADR 23
   */
  private async addressFor(
    manager: EntityManager,
    { email }: AdmittedPerson,
    isTrusted: boolean,
  ): Promise<EmailAddress | null> {
    if (email === null || !(isTrusted || this.settings.signIn.signUp === 'open')) return null;
    return (await this.accounts.findByEmail(manager, email)) === null ? email : null;
  }
}
