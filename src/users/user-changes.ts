import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../audit/audit.js';
import type { AuditDetails, AuditEventName } from '../audit/audit-event.js';
import { ownerIdOf } from '../common/access/caller.js';
import { Clock } from '../common/clock.js';
import { Reauthorization } from '../database/units/reauthorization.js';
import type { Account } from './rows/account.js';
import { insertUser } from './rows/accounts.js';
import { CredentialLookup } from './rows/credential-lookup.js';
import type { UserAuthority } from './roles/user-authority.js';
import {
  changedColumns,
  changedFields,
  newColumns,
  type PreparedAccount,
  type PreparedChanges,
} from './rows/user-columns.js';
import { UserRules } from './user-rules.js';
import { User } from './rows/user.entity.js';

/** A change of a user, for the audit. */
interface Changed {
  readonly before: Account;
  readonly after: Account;
  readonly changes: PreparedChanges;
  /** What the feature that keeps credentials says of it. */
  readonly left: AuditDetails;
}

/** A user after a change. */
export interface ChangedUser {
  readonly user: Account;
  /** See `ChangeEffects`. */
  readonly serviceTokens: number | null;
}

/** What goes with a user who is removed. The authority is that of the caller as they are in the unit of work. */
export type WithRemoval<Result> = (manager: EntityManager, user: Account, authority: UserAuthority) => Promise<Result>;

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
    const changes = this.rules.withoutHeldRole(user, asked);
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
   * @param also what else goes with the user, done while the row is there and once the removal is allowed
   * @throws {DomainError} `user_not_found`, `last_admin`, `insufficient_scope`, `invalid_token`
   */
  async remove<Result>(
    manager: EntityManager,
    id: number,
    given: UserAuthority,
    also: WithRemoval<Result>,
  ): Promise<Result> {
    const user = await this.rules.holdWithAdmins(manager, { id, beside: ownerIdOf(given.actor) });
    const authority = await this.confirmed(manager, given);
    authority.requireOver(user);
    await this.rules.requireRemoval(manager, user);
    await this.credentials.listener?.removed(manager, user);
    const result = await also(manager, user, authority);
    await manager.delete(User, { id });
    await this.tell(manager, 'user.deleted', user, authority, { role: user.role });
    return result;
  }

  /** To be called after the commit. */
  settled(id: number): void {
    this.credentials.listener?.settled(id);
  }

  /** After the locks on users: what reads the caller locks sessions and tokens behind them. */
  private async confirmed(manager: EntityManager, authority: UserAuthority): Promise<UserAuthority> {
    return authority.as(await this.reauthorization.confirm(manager, authority.actor, 'users:write'));
  }

  private async tellChanges(
    manager: EntityManager,
    { before, after, changes, left }: Changed,
    by: UserAuthority,
  ): Promise<void> {
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
    details: AuditDetails = {},
  ): Promise<void> {
    return this.audit.add(manager, {
      event,
      outcome: 'success',
      userId,
      email,
      actor,
      visitor,
      ...(Object.keys(details).length === 0 ? {} : { details }),
    });
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
