import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ownerIdOf } from '../../../common/access/caller.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { Account } from '../../../users/rows/account.js';
import { ActingAdmins } from '../../../users/roles/acting-admins.js';
import { Accounts } from '../../../users/rows/accounts.js';
import type { Role } from '../../../users/roles/roles.js';
import type { UserAuthority } from '../../../users/roles/user-authority.js';
import { UserChanges } from '../../../users/user-changes.js';
import { requireEmail } from '../../../users/rows/user-columns.js';
import { UserLocks } from '../../../users/rows/user-locks.js';
import { emailTaken } from '../../../users/user.errors.js';
import { ProvenMailbox } from '../../accounts/proven-mailbox.js';

/** Whom to invite, and as what. */
export interface Invitation {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

/** The accounts that invitations are for. */
@Injectable()
export class InvitedAccounts {
  constructor(
    private readonly accounts: Accounts,
    private readonly changes: UserChanges,
    private readonly mailbox: ProvenMailbox,
    private readonly locks: UserLocks,
    private readonly admins: ActingAdmins,
  ) {}

  /**
   * A new account, or that of a user who has not come yet without anything that opens it.
   *
   * @throws {DomainError} `email_taken`: the address is proved; `last_admin`: it is of the last one who could act;
   *   `insufficient_scope`, `managed_elsewhere`, `account_disabled`
   */
  async of(manager: EntityManager, invitation: Invitation, authority: UserAuthority): Promise<Account> {
    const { email, name, role } = invitation;
    const { key } = requireEmail(email);
    const found = await this.accounts.findByEmail(manager, { key });
    if (!found) return this.add(manager, invitation, authority);
    requireUnproven(found);
    const held = { id: found.id, beside: ownerIdOf(authority.actor) };
    await this.locks.anyWithAdmins(manager, held);
    // The user may have gone meanwhile, or moved to another address.
    const known = await this.accounts.findByEmail(manager, { key });
    if (known?.id !== found.id) return this.of(manager, invitation, authority);
    return this.admins.keeping(manager, held, async (user) => {
      requireUnproven(user);
      authority.requireRole(role);
      authority.requireOver(user);
      requireInvitable(user);
      // A password that was there before must not open what the role adds.
      await this.mailbox.strip(manager, user, authority.visitor);
      return (await this.changes.change(manager, user.id, { name, role }, authority)).user;
    });
  }

  /** @throws {DomainError} `insufficient_scope` */
  add(manager: EntityManager, { email, name, role }: Invitation, authority: UserAuthority): Promise<Account> {
    const account = { name, role, email: requireEmail(email), passwordHash: null, isVerified: false };
    return this.changes.add(manager, account, authority);
  }

  /** To be called after the commit: what this process remembers of the account is old. */
  settled({ id }: Account): void {
    this.changes.settled(id);
  }
}

function requireUnproven({ emailVerifiedAt }: Account): void {
  if (emailVerifiedAt !== null) throw emailTaken(undefined);
}

/** Without its identity the person of a disabled account would be given a new one by their issuer or directory. */
function requireInvitable({ disabledAt }: Account): void {
  if (disabledAt === null) return;
  throw new DomainError('account_disabled', 'This account is disabled. Enable it before its user is invited again.');
}
