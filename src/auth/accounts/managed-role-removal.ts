import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { readerOf } from '../../database/statements/reads.js';
import type { Account } from '../../users/rows/account.js';
import { Accounts } from '../../users/rows/accounts.js';
import { ActingAdmins } from '../../users/roles/acting-admins.js';
import { ManagedRoles } from '../../users/roles/managed-roles.js';
import type { EmailAddress } from '../../common/text/email-address.js';
import { UserLocks } from '../../users/rows/user-locks.js';
import type { CredentialKind } from './credential-revocation.js';

/** What ends of a role: the role, or only that a directory gives it. */
type RoleRemoval = Extract<CredentialKind, 'role' | 'role_source'>;

/**
 * Decides whether an account that loses its identities also loses its role. A directory reaches an account by its
 * identity alone, so a role that it gave goes with the identity. The owner of a proved address keeps it where no other
 * admin can act; administrators give it from then on. With an address that is not proved it never stays: it would be that
 * of the first person who proves the address.
 */
@Injectable()
export class ManagedRoleRemoval {
  constructor(
    private readonly locks: UserLocks,
    private readonly accounts: Accounts,
    private readonly roles: ManagedRoles,
    private readonly admins: ActingAdmins,
  ) {}

  /** See {@link ManagedRoles.isManaged}. */
  isManaged(account: Account): boolean {
    return this.roles.isManaged(account);
  }

  /** Holds an account still with all admins, since a role may end. `null`: it is gone. */
  async hold(manager: EntityManager, id: number): Promise<Account | null> {
    await this.locks.anyWithAdmins(manager, { id, beside: null });
    return this.accounts.find(manager, id);
  }

  /**
   * Of an account that is locked down, which is never refused: others may have it. That can leave no admin who can act.
   *
   * @param account as {@link hold} has it
   */
  async ofLockDown(manager: EntityManager, account: Account): Promise<RoleRemoval> {
    if (account.emailVerifiedAt === null) return 'role';
    if (!this.isManaged(account)) return 'role_source';
    return (await this.isLastAdmin(manager, account)) ? 'role_source' : 'role';
  }

  /**
   * Holds the account of a mailbox still that is about to be proved: with all admins where it may be one who loses the role.
   * `null`: there is none.
   */
  async holdByEmail(manager: EntityManager, email: Pick<EmailAddress, 'key'>): Promise<Account | null> {
    const found = await this.accounts.findByEmail(manager, email);
    if (found && mayLoseAdmin(found)) await this.holdAdmins(manager, found);
    return this.accounts.lockByEmail(manager, email);
  }

  /**
   * Of an account whose owner was not known before. A role goes that a directory once gave, also where it gives none now.
   *
   * @param account as {@link holdByEmail} or {@link hold} has it
   * @throws {DomainError} `last_admin`: a directory gave the role, and no other admin can act
   */
  async ofUnproven(manager: EntityManager, account: Account): Promise<RoleRemoval> {
    if (!mayLoseAdmin(account)) return 'role';
    // They are held already, unless the role was given between the look and the lock.
    await this.holdAdmins(manager, account);
    if (await this.isLastAdmin(manager, account)) throw lastByDirectory();
    return 'role';
  }

  private holdAdmins(manager: EntityManager, { id }: Account): Promise<void> {
    return this.locks.anyWithAdmins(manager, { id, beside: null });
  }

  private async isLastAdmin(manager: EntityManager, { id, role }: Account): Promise<boolean> {
    return role === 'admin' && !(await this.admins.exist(readerOf(manager), id));
  }
}

function mayLoseAdmin({ role, roleSource, emailVerifiedAt }: Account): boolean {
  return role === 'admin' && roleSource !== null && emailVerifiedAt === null;
}

function lastByDirectory(): DomainError {
  const message =
    'A directory has made this account that of an admin, its address is not proved, and no other admin can sign in. Sign in ' +
    'with the directory, or have another admin made first, on the command line if there is no other way.';
  return new DomainError('last_admin', message);
}
