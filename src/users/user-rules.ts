import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ValidationError } from '../common/errors/domain-error.js';
import { Settings } from '../config/settings.js';
import { ActingAdmins } from './roles/acting-admins.js';
import { isSetUpByAdmin } from './rows/account.js';
import { CredentialLookup } from './rows/credential-lookup.js';
import { ManagedRoles } from './roles/managed-roles.js';
import { isGrowth } from './roles/roles.js';
import type { PreparedChanges } from './rows/user-columns.js';
import { UserLocks, type Held } from './rows/user-locks.js';
import type { User } from './rows/user.entity.js';
import { givenPasswordGrowth, unprovenGrowth } from './user.errors.js';

/** Holds users still and says which of their changes are allowed, by whichever caller. */
@Injectable()
export class UserRules {
  constructor(
    private readonly locks: UserLocks,
    private readonly admins: ActingAdmins,
    private readonly roles: ManagedRoles,
    private readonly credentials: CredentialLookup,
    private readonly settings: Settings,
  ) {}

  /** @throws {DomainError} `user_not_found` */
  hold(manager: EntityManager, held: Held, changes: PreparedChanges): Promise<User> {
    return takesSomething(changes) ? this.locks.withAdmins(manager, held) : this.locks.one(manager, held);
  }

  /** @throws {DomainError} `user_not_found` */
  holdWithAdmins(manager: EntityManager, held: Held): Promise<User> {
    return this.locks.withAdmins(manager, held);
  }

  /** @throws {DomainError} `managed_elsewhere`; see {@link ManagedRoles.withoutHeld} */
  withoutHeldRole(user: User, changes: PreparedChanges): PreparedChanges {
    return this.roles.withoutHeld(user, changes);
  }

  /**
   * @throws {DomainError} `last_admin`, `managed_elsewhere`
   * @throws {ValidationError} more scopes for an account that others can open
   */
  async requireChange(manager: EntityManager, before: User, after: User, changes: PreparedChanges): Promise<void> {
    this.roles.require(before, changes);
    await this.requireOwned(manager, before, after, changes);
    if (takesSomething(changes)) await this.admins.requireAfter(manager, before, after);
  }

  /** @throws {DomainError} `last_admin` */
  requireRemoval(manager: EntityManager, user: User): Promise<void> {
    return this.admins.requireAfter(manager, user, null);
  }

  /** A directory ends by itself what others could open the account by. */
  private async requireOwned(
    manager: EntityManager,
    before: User,
    after: User,
    { roleSource }: PreparedChanges,
  ): Promise<void> {
    if (before.emailVerifiedAt === null && after.emailVerifiedAt !== null) {
      await this.requireProven(manager, before, after, 'verified');
    }
    if (!isGrowth(before.role, after.role) || roleSource !== undefined) return;
    if (after.emailVerifiedAt === null) await this.requireProven(manager, before, after, 'role');
    else await this.requireOwnPassword(manager, before, after);
  }

  /**
   * Who set the password of an unproven account, linked its identities, signed in to it or made its tokens is not known:
   * with the role they would get more scopes than they have. A password that is replaced in the same change is known, and
   * ends sessions and tokens. Not so where an administrator has set the account up.
   */
  private async requireProven(
    manager: EntityManager,
    before: User,
    after: User,
    field: 'role' | 'verified',
  ): Promise<void> {
    if (isSetUpByAdmin(before) && after.passwordGivenAt === null) return;
    const { source } = this.credentials;
    if (await source.hasIdentity(manager, after.id)) throw unprovenGrowth(field);
    if (after.passwordHash !== before.passwordHash) return;
    const { id, passwordHash, updatedAt: now } = after;
    if (passwordHash !== null || (await source.isInUse(manager, id, now))) throw unprovenGrowth(field);
  }

  /** A password that is replaced or taken away ends sessions and tokens, but no identity that was linked with it. */
  private async requireOwnPassword(manager: EntityManager, before: User, after: User): Promise<void> {
    const { id, passwordHash, passwordGivenAt } = after;
    if (passwordGivenAt === null) return;
    if (passwordHash !== null && passwordHash === before.passwordHash) throw this.givenPasswordGrowth();
    if (await this.credentials.source.hasIdentity(manager, id, passwordGivenAt)) throw this.givenPasswordGrowth();
  }

  private givenPasswordGrowth(): ValidationError {
    return givenPasswordGrowth(this.settings.signIn.methods);
  }
}

/** Whether a change may take from an admin what they act by. */
function takesSomething({ disabled, role, passwordHash, email }: PreparedChanges): boolean {
  return disabled === true || passwordHash === null || email !== undefined || (role !== undefined && role !== 'admin');
}
