import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { readerOf } from '../../database/reads.js';
import type { Account } from '../../users/account.js';
import { Accounts } from '../../users/accounts.js';
import { ActingAdmins } from '../../users/acting-admins.js';
import { ManagedRoles } from '../../users/managed-roles.js';
import { UserLocks } from '../../users/user-locks.js';
import type { CredentialKind } from '../accounts/credential-end.js';

/**
 * Decides about the role of an account that is locked down. A directory reaches an account by its identity alone, so a
 * role that it gave goes with the identity. It stays where no other admin can act; administrators give it from then on.
 */
@Injectable()
export class LockDownRoles {
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

  /** What ends of the role. @param account as {@link hold} has it */
  async ending(manager: EntityManager, account: Account): Promise<Extract<CredentialKind, 'role' | 'role_source'>> {
    if (!this.roles.isManaged(account)) return 'role_source';
    const isOver = account.role !== 'admin' || (await this.admins.exist(readerOf(manager), account.id));
    return isOver ? 'role' : 'role_source';
  }
}
