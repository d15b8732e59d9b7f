import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AuditDetails, AuditEventName } from '../audit/audit-event.js';
import { Audit } from '../audit/audit.js';
import { ownerIdOf } from '../common/access/caller.js';
import { Clock } from '../common/clock.js';
import { Settings } from '../config/settings.js';
import { Reauthorization } from '../database/units/reauthorization.js';
import { ActingAdmins } from './roles/acting-admins.js';
import { ManagedRoles } from './roles/managed-roles.js';
import { isGrowth } from './roles/roles.js';
import type { UserAuthority } from './roles/user-authority.js';
import { type Account, isSetUpByAdmin } from './rows/account.js';
import { insertUser, type Held, Accounts } from './rows/accounts.js';
import { CredentialLookup } from './rows/credential-lookup.js';
import {
  changedColumns,
  changedFields,
  newColumns,
  type PreparedAccount,
  type PreparedChanges,
} from './rows/user-columns.js';
import { User } from './rows/user.entity.js';
import { givenPasswordGrowth, unprovenGrowth } from './user.errors.js';

interface Changed {
  readonly before: Account;
  readonly after: Account;
  readonly changes: PreparedChanges;
  /** Details of the feature that keeps credentials. */
  readonly left: AuditDetails;
}

export interface ChangedUser {
  readonly user: Account;
  /** See `ChangeEffects`. */
  readonly serviceTokens: number | null;
}

/** Work that goes with the removal of a user. The authority is that of the caller as they are in the unit of work. */
export type WithRemoval<Result> = (manager: EntityManager, user: Account, authority: UserAuthority) => Promise<Result>;

/** Holds users still and says which of their changes are allowed, by whichever caller. */
@Injectable()
export class UserRules {
  constructor(
    readonly accounts: Accounts,
    readonly admins: ActingAdmins,
    readonly roles: ManagedRoles,
    private readonly credentials: CredentialLookup,
    private readonly settings: Settings,
  ) {}

  /** @throws {DomainError} `user_not_found` */
  hold(manager: EntityManager, held: Held, changes: PreparedChanges): Promise<User> {
    return takesSomething(changes) ? this.accounts.lockWithAdmins(manager, held) : this.accounts.lockOne(manager, held);
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

  /** A directory ends by itself what others could open the account by. */
  private async requireOwned(manager: EntityManager, before: User, after: User, { roleSource }: PreparedChanges) {
    if (before.emailVerifiedAt === null && after.emailVerifiedAt !== null) {
      await this.requireProven(manager, before, after, 'verified');
    }
    if (!isGrowth(before.role, after.role) || roleSource !== undefined) return;
    if (after.emailVerifiedAt === null) await this.requireProven(manager, before, after, 'role');
    else await this.requireOwnPassword(manager, before, after);
  }

  /**
   * Refuses a role with more scopes for an unproven account: strangers may have what opens it. A password that is replaced in
   * the same change ends sessions and tokens.
   */
  private async requireProven(manager: EntityManager, before: User, after: User, field: 'role' | 'verified') {
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
    const isKept = passwordHash !== null && passwordHash === before.passwordHash;
    if (isKept || (await this.credentials.source.hasIdentity(manager, id, passwordGivenAt)))
      throw givenPasswordGrowth(this.settings.signIn.methods);
  }
}

/** Adds, changes and removes users inside a unit of work, and reports it to the audit and to the feature that keeps credentials. */
@Injectable()
export class UserChanges {
  constructor(
    private readonly rules: UserRules,
    private readonly credentials: CredentialLookup,
    private readonly clock: Clock,
    private readonly audit: Audit,
    private readonly reauthorization: Reauthorization,
  ) {}

  /** @throws {DomainError} `insufficient_scope`, `invalid_token` */
  async add(manager: EntityManager, account: PreparedAccount, given: UserAuthority): Promise<Account> {
    const authority = await this.confirmed(manager, given);
    authority.requireRole(account.role);
    authority.requireVouching(account.isVerified);
    const added = await insertUser(manager, newColumns(account, authority.giver, this.clock.now()));
    await this.tell(manager, 'user.created', added, authority, {
      role: added.role,
      ...(account.isVerified ? { verified: true } : {}),
    });
    return added;
  }

  /**
   * @throws {DomainError} `user_not_found`, `last_admin`, `insufficient_scope`, `invalid_token`, `managed_elsewhere`
   * @throws {ValidationError} more scopes for an account that others can open
   */
  async change(manager: EntityManager, id: number, asked: PreparedChanges, given: UserAuthority): Promise<ChangedUser> {
    const user = await this.rules.hold(manager, { id, beside: ownerIdOf(given.actor) }, asked);
    const authority = await this.confirmed(manager, given);
    authority.requireOver(user);
    if (asked.role !== undefined) authority.requireRole(asked.role);
    authority.requireVouching(asked.verified);
    const changes = this.rules.roles.withoutHeld(user, asked);
    const now = this.clock.now();
    const columns = changedColumns(user, changes, authority.giver, now);
    if (Object.keys(columns).length === 0) return { user, serviceTokens: null };
    const changed = Object.assign(new User(), user, columns, { updatedAt: now });
    await this.rules.requireChange(manager, user, changed, changes);
    await manager.update(User, { id }, { ...columns, updatedAt: now });
    const { details: left, serviceTokens } = await this.credentials.changed(manager, user, changed);
    await this.tellChanges(manager, { before: user, after: changed, changes, left }, authority);
    return { user: changed, serviceTokens };
  }

  /**
   * @param also further work on the removal, once it is allowed and while the row is there
   * @throws {DomainError} `user_not_found`, `last_admin`, `insufficient_scope`, `invalid_token`
   */
  async remove<Result>(
    manager: EntityManager,
    id: number,
    given: UserAuthority,
    also: WithRemoval<Result>,
  ): Promise<Result> {
    const user = await this.rules.accounts.lockWithAdmins(manager, { id, beside: ownerIdOf(given.actor) });
    const authority = await this.confirmed(manager, given);
    authority.requireOver(user);
    await this.rules.admins.requireAfter(manager, user, null);
    await this.credentials.listener?.removed(manager, user);
    const result = await also(manager, user, authority);
    await manager.delete(User, { id });
    await this.tell(manager, 'user.deleted', user, authority, { role: user.role });
    return result;
  }

  /** After the locks on users: what reads the caller locks sessions and tokens behind them. */
  private async confirmed(manager: EntityManager, authority: UserAuthority): Promise<UserAuthority> {
    return authority.as(await this.reauthorization.confirm(manager, authority.actor, 'users:write'));
  }

  private async tellChanges(manager: EntityManager, { before, after, changes, left }: Changed, by: UserAuthority) {
    const isDisabledAnew = before.disabledAt !== after.disabledAt || before.disabledReason !== after.disabledReason;
    if (isDisabledAnew) {
      const event = after.disabledAt === null ? 'user.enabled' : 'user.disabled';
      await this.tell(manager, event, after, by, { ...disabledDetails(before, after), ...left });
    }
    const fields = changedFields(before, after);
    if (fields.length === 0) return;
    const details = {
      fields: fields.join(' '),
      ...roleDetails(before, after, changes.roleSource),
      ...emailDetails(before, after, changes.emailSource),
      ...left,
    };
    await this.tell(manager, 'user.updated', after, by, details);
  }

  private tell(
    manager: EntityManager,
    event: AuditEventName,
    { id: userId, email }: Account,
    { actor, visitor }: UserAuthority,
    details: AuditDetails,
  ): Promise<void> {
    const more = Object.keys(details).length === 0 ? {} : { details };
    return this.audit.add(manager, { event, outcome: 'success', userId, email, actor, visitor, ...more });
  }
}

/** Providers that have disabled the user, now and before; where an administrator has, the actor of the event says so. */
function disabledDetails(before: Account, after: Account): AuditDetails {
  const present: AuditDetails = after.disabledReason === null ? {} : { by: after.disabledReason };
  const former: AuditDetails = before.disabledReason === null ? {} : { former_by: before.disabledReason };
  return { ...present, ...former };
}

/** @param givenBy the provider whose groups gave the role; `undefined`: it was given here */
function roleDetails(before: Account, after: Account, givenBy: string | undefined): AuditDetails {
  const { role: formerRole, roleSource: formerSource } = before;
  const { role, roleSource } = after;
  const by: AuditDetails = givenBy === undefined ? {} : { by: givenBy };
  return {
    ...(role === formerRole ? {} : { role, former_role: formerRole, ...by }),
    ...(roleSource === formerSource ? {} : { role_source: roleSource, former_role_source: formerSource }),
  };
}

function emailDetails(before: Account, after: Account, givenBy: string | undefined): AuditDetails {
  const by: AuditDetails = givenBy === undefined ? {} : { by: givenBy };
  return before.email === after.email ? {} : { former_email: before.email, ...by };
}

/** True if a change may take from an admin what they act by. */
function takesSomething({ disabled, role, passwordHash, email }: PreparedChanges): boolean {
  return disabled === true || passwordHash === null || email !== undefined || (role !== undefined && role !== 'admin');
}
