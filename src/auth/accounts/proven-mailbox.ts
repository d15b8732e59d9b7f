import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import type { AuditDetails } from '../../audit/audit-event.js';
import type { Visitor } from '../../common/access/visitor.js';
import type { EmailAddress } from '../../common/text/email-address.js';
import { isSetUpByAdmin, type Account } from '../../users/rows/account.js';
import { Accounts } from '../../users/rows/accounts.js';
import { requireEnabled } from '../sessions/lifecycle/session-opener.js';
import { CredentialRevocation, ALL_CREDENTIALS, type Revocation, type IdentityName } from './credential-revocation.js';
import { ManagedRoleRemoval } from './managed-role-removal.js';

/** The identity that proves the ownership of an account whose address is not proved. */
export interface OwnersProof {
  readonly identity: IdentityName;
  readonly visitor: Visitor;
}

/** By what a mailbox is proved. */
interface Proof {
  /** Where it comes from, for the audit; left out: it is not known. */
  readonly visitor?: Visitor | null;
  /** Whether it is by the directory that gave the account its role, and says in the same unit of work which one it has now. */
  readonly hasRole?: boolean;
}

/** Carries out what follows when the ownership of an account is proved. */
@Injectable()
export class ProvenMailbox {
  constructor(
    private readonly accounts: Accounts,
    private readonly credentials: CredentialRevocation,
    private readonly roles: ManagedRoleRemoval,
    private readonly audit: Audit,
  ) {}

  /** Holds the account of a mailbox still, where there is one, before anything is locked that belongs to it. */
  hold(manager: EntityManager, email: Pick<EmailAddress, 'key'>): Promise<Account | null> {
    return this.roles.holdByEmail(manager, email);
  }

  /**
   * Lets the owner of the mailbox in. The first proof makes the account theirs alone: a person who signed up
   * with their address before them may know its password, or have linked an identity or made tokens, and loses all of it.
   * Nothing is lost where an administrator has set the account up.
   *
   * @param account as {@link hold} has it in this unit of work
   * @returns the account as it is now
   * @throws {DomainError} `account_disabled`; `last_admin`: see {@link ManagedRoleRemoval.ofUnproven}
   */
  async prove(
    manager: EntityManager,
    account: Account,
    { visitor = null, hasRole = false }: Proof = {},
  ): Promise<Account> {
    requireEnabled(account);
    if (account.emailVerifiedAt !== null) return account;
    if (isSetUpByAdmin(account)) return this.accounts.verify(manager, account);
    const roles = hasRole ? [] : [await this.roles.ofUnproven(manager, account)];
    const bare = await this.stripped(manager, account, visitor, { kinds: [...ALL_CREDENTIALS, ...roles] });
    return this.accounts.verify(manager, bare);
  }

  /**
   * Revokes every credential of an unproven account that an administrator is about to give a role: who set it up is not
   * known. A directory has no say in the role any more. `CredentialRevocation.settled` is to be called after the commit.
   *
   * @param account as read and held still in this unit of work
   * @returns the account as it is now
   */
  strip(manager: EntityManager, account: Account, visitor: Visitor | null): Promise<Account> {
    return this.stripped(manager, account, visitor, { kinds: [...ALL_CREDENTIALS, 'role_source'] });
  }

  /**
   * Restricts an account to the directory that is about to give it more scopes: takes away what {@link strip} does, but
   * not the identity that the directory knows its user by. The session that links it ends too: whose it is, is as little
   * known, since its address may have been handed to the person whom the directory knows.
   *
   * @param account as read and held still in this unit of work
   * @returns the account as it is now
   */
  restrictTo(manager: EntityManager, account: Account, { identity, visitor }: OwnersProof): Promise<Account> {
    return this.stripped(manager, account, visitor, { kinds: ALL_CREDENTIALS, stayingIdentity: identity });
  }

  private async stripped(
    manager: EntityManager,
    account: Account,
    visitor: Visitor | null,
    ending: Omit<Revocation, 'reason'>,
  ): Promise<Account> {
    const revoked = await this.credentials.revoke(manager, account, { ...ending, reason: 'account_claimed' });
    const { account: bare, ended } = revoked;
    if (Object.values(ended).some(Boolean)) {
      const { id: userId, email } = account;
      const by: AuditDetails = ending.stayingIdentity ? { by: ending.stayingIdentity.provider } : {};
      const event = { event: 'account.stripped', outcome: 'success', userId, email, visitor } as const;
      await this.audit.add(manager, { ...event, details: { ...by, ...ended } });
    }
    return bare;
  }
}
