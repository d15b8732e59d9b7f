import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AuditDetails } from '../../audit/audit-event.js';
import { Audit } from '../../audit/audit.js';
import type { Visitor } from '../../common/access/visitor.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { EmailAddress } from '../../common/text/email-address.js';
import { readerOf } from '../../database/statements/reads.js';
import { ActingAdmins } from '../../users/roles/acting-admins.js';
import { ManagedRoles } from '../../users/roles/managed-roles.js';
import { isSetUpByAdmin, type Account } from '../../users/rows/account.js';
import { Accounts } from '../../users/rows/accounts.js';
import { requireEnabled } from '../sessions/lifecycle/session-opener.js';
import {
  CredentialRevocation,
  ALL_CREDENTIALS,
  type Revocation,
  type IdentityName,
  type CredentialKind,
} from './credential-revocation.js';

/** The part of a role that ends: the role, or only that a directory gives it. */
type RoleRemoval = Extract<CredentialKind, 'role' | 'role_source'>;

/**
 * Decides whether an account that loses its identities also loses its role. A directory reaches an account by its
 * identity alone, so a role that it gave goes with it. The owner of a proved address keeps the role if no other admin can
 * act. With an unproved address it never stays: the first person who proves the address would have it.
 */
@Injectable()
export class ManagedRoleRemoval {
  constructor(
    private readonly accounts: Accounts,
    private readonly roles: ManagedRoles,
    private readonly admins: ActingAdmins,
  ) {}

  isManaged(account: Account): boolean {
    return this.roles.isManaged(account);
  }

  /** Holds an account still with all admins, since a role may end. `null`: it is gone. */
  async hold(manager: EntityManager, id: number): Promise<Account | null> {
    await this.accounts.lockAnyWithAdmins(manager, { id, beside: null });
    return this.accounts.find(manager, id);
  }

  /**
   * The removal for an account that is locked down, which is never refused, even if no admin is left who can act.
   *
   * @param account as {@link hold} has it
   */
  async ofLockDown(manager: EntityManager, account: Account): Promise<RoleRemoval> {
    if (account.emailVerifiedAt === null) return 'role';
    if (!this.isManaged(account)) return 'role_source';
    return (await this.isLastAdmin(manager, account)) ? 'role_source' : 'role';
  }

  /**
   * The removal for an account whose owner was not known before: also of a role that a directory gave once.
   *
   * @param account as {@link ProvenMailbox.hold} or {@link hold} has it
   * @throws {DomainError} `last_admin`: a directory gave the role, and no other admin can act
   */
  async ofUnproven(manager: EntityManager, account: Account): Promise<RoleRemoval> {
    if (!mayLoseAdmin(account)) return 'role';
    // They are held already, unless the role was given between the look and the lock.
    await this.accounts.lockAnyWithAdmins(manager, { id: account.id, beside: null });
    if (!(await this.isLastAdmin(manager, account))) return 'role';
    const message =
      'A directory has made this account that of an admin, its address is not proved, and no other admin can sign in. Sign in ' +
      'with the directory, or have another admin made first, on the command line if there is no other way.';
    throw new DomainError('last_admin', message);
  }

  private async isLastAdmin(manager: EntityManager, { id, role }: Account): Promise<boolean> {
    return role === 'admin' && !(await this.admins.exist(readerOf(manager), id));
  }
}

function mayLoseAdmin({ role, roleSource, emailVerifiedAt }: Account): boolean {
  return role === 'admin' && roleSource !== null && emailVerifiedAt === null;
}

/** Carries out what follows from a proof of the ownership of an account. */
@Injectable()
export class ProvenMailbox {
  constructor(
    private readonly accounts: Accounts,
    private readonly credentials: CredentialRevocation,
    private readonly roles: ManagedRoleRemoval,
    private readonly audit: Audit,
  ) {}

  /** Holds the account of a mailbox still, with all admins if its proof may end the role of one; `null`: there is none. */
  async hold(manager: EntityManager, email: Pick<EmailAddress, 'key'>): Promise<Account | null> {
    const found = await this.accounts.findByEmail(manager, email);
    if (found && mayLoseAdmin(found)) await this.accounts.lockAnyWithAdmins(manager, { id: found.id, beside: null });
    return this.accounts.lockByEmail(manager, email);
  }

  /**
   * Lets the owner of the mailbox in. The first proof takes away what a person may have made who signed up with the address
   * before them: password, identities, tokens. Nothing is lost if an administrator has set the account up.
   *
   * @param account as {@link hold} has it in this unit of work
   * @param proof `hasRole`: by the directory of the role, which names the role anew in the same unit of work
   * @returns the account as it is now
   * @throws {DomainError} `account_disabled`; `last_admin`: see {@link ManagedRoleRemoval.ofUnproven}
   */
  async prove(
    manager: EntityManager,
    account: Account,
    { visitor, hasRole = false }: { readonly visitor: Visitor; readonly hasRole?: boolean },
  ): Promise<Account> {
    requireEnabled(account);
    if (account.emailVerifiedAt !== null) return account;
    if (isSetUpByAdmin(account)) return this.accounts.verify(manager, account);
    const roles = hasRole ? [] : [await this.roles.ofUnproven(manager, account)];
    const bare = await this.stripped(manager, account, visitor, { kinds: [...ALL_CREDENTIALS, ...roles] });
    return this.accounts.verify(manager, bare);
  }

  /**
   * Revokes every credential of an unproven account that an administrator is about to give a role. A directory has no say
   * in the role any more.
   *
   * @param account as read and held still in this unit of work
   * @returns the account as it is now
   */
  strip(manager: EntityManager, account: Account, visitor: Visitor | null): Promise<Account> {
    return this.stripped(manager, account, visitor, { kinds: [...ALL_CREDENTIALS, 'role_source'] });
  }

  /**
   * Restricts an account to the directory that is about to give it more scopes: takes away what {@link strip} does, but not
   * the identity of the directory. The session that links it ends too, since it is not known whose it is.
   *
   * @param account as read and held still in this unit of work
   * @returns the account as it is now
   */
  restrictTo(
    manager: EntityManager,
    account: Account,
    { identity, visitor }: { readonly identity: IdentityName; readonly visitor: Visitor },
  ): Promise<Account> {
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
