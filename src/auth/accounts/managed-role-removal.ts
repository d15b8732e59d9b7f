import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { readerOf } from '../../database/statements/reads.js';
import type { Account } from '../../users/rows/account.js';
import { Accounts } from '../../users/rows/accounts.js';
import { ActingAdmins } from '../../users/roles/acting-admins.js';
import { ManagedRoles } from '../../users/roles/managed-roles.js';
import type { EmailAddress } from '../../users/rows/email-address.js';
import { UserLocks } from '../../users/rows/user-locks.js';
import type { CredentialKind } from './credential-revocation.js';

/** What ends of a role: the role, or only that a directory gives it. */
type RoleRemoval = Extract<CredentialKind, 'role' | 'role_source'>;

/**
 * Decides whether an account that loses its identities also loses its role. A directory reaches an account by its
 * identity alone, so a role that it gave goes with the identity. It stays where no other admin can act; administrators
 * give it from then on.
 */
@Injectable()
export class ManagedRoleRemoval {
  constructor(
    private readonly locks: UserLocks,
    private readonly accounts: Accounts,
    private readonly roles: ManagedRoles,
    private readonly admins: ActingAdmins,
  ) {}

  /** Holds an account still with all admins, since a role may end. `null`: it is gone. */
  async hold(manager: EntityManager, id: number): Promise<Account | null> {
    await this.locks.anyWithAdmins(manager, { id, beside: null });
    return this.accounts.find(manager, id);
  }

  /** Of an account that is locked down. @param account as {@link hold} has it */
  async ofLockDown(manager: EntityManager, account: Account): Promise<RoleRemoval> {
    return this.roles.isManaged(account) ? this.unlessLast(manager, account) : 'role_source';
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
   */
  async ofUnproven(manager: EntityManager, account: Account): Promise<RoleRemoval> {
    // They are held already, unless the role was given between the look and the lock.
    if (mayLoseAdmin(account)) await this.holdAdmins(manager, account);
    return this.unlessLast(manager, account);
  }

  private holdAdmins(manager: EntityManager, { id }: Account): Promise<void> {
    return this.locks.anyWithAdmins(manager, { id, beside: null });
  }

  private async unlessLast(manager: EntityManager, { id, role }: Account): Promise<RoleRemoval> {
    const isOver = role !== 'admin' || (await this.admins.exist(readerOf(manager), id));
    return isOver ? 'role' : 'role_source';
  }
}

function mayLoseAdmin({ role, roleSource, emailVerifiedAt }: Account): boolean {
  return role === 'admin' && roleSource !== null && emailVerifiedAt === null;
}
