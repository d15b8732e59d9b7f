import { Injectable } from '@nestjs/common';
import { And, MoreThanOrEqual, Not, type EntityManager, type FindOptionsWhere, In, IsNull } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { DEFAULT_ROLE, isGrowth } from '../../users/roles/roles.js';
import type { Account } from '../../users/rows/account.js';
import { Accounts } from '../../users/rows/accounts.js';
import type { AccountListener, ChangeEffects } from '../../users/rows/credential-lookup.js';
import { AccountTries } from '../limits/account-tries.js';
import { Challenge } from '../secrets/challenge.entity.js';
import { SessionRevocation, type RevocationReason } from '../sessions/lifecycle/sessions.service.js';
import { Session } from '../tokens/access/session.entity.js';
import { LiveSessions } from '../tokens/access/verified-access.js';
import { endTokensOf, serviceTokensOf } from '../tokens/api/rows/token-rows.js';
import { VerifiedTokens } from '../tokens/api/verified-tokens.js';
import { Identity, OF_ISSUER } from './identity.entity.js';

/** Ends the links that lock an account down and were mailed to an address. @param userId of a user who is held still */
export async function endLockDownLinks(manager: EntityManager, userId: number, address: string): Promise<void> {
  const open = await manager.find(Challenge, {
    where: { userId, purpose: 'lock_down', consumedAt: IsNull() },
    order: { id: 'ASC' },
  });
  // Written by `LockDownLinks` alone.
  const mailed = open.filter(
    ({ context }) => (JSON.parse(context ?? '') as { readonly address: string }).address === address,
  );
  if (mailed.length > 0) await manager.delete(Challenge, { id: In(mailed.map(({ id }) => id)) });
}

/**
 * - `challenges`: mailed codes and links that were not used, but those that lock the account down
 * - `tokens`: personal API tokens
 * - `password`: devices on which its user has signed in are new again, also without a password
 * - `given_identities`: those linked since another user has set the password, but that of the directory of the role
 * - `provider_identities`: all but those of issuers and gateways. Those were never linked, and no route brings them back:
 *   the next token would make the person a second account with the same role
 * - `other_identities`: all but those of providers that give roles. Without it the person of a disabled account would be
 *   given a new one
 * - `issuer_role`: the role that an issuer names; goes with `identities` as well
 * - `role`: a role that came from a directory, and becomes the least one
 * - `role_source`: the directory of the role; the role stays, and administrators give it from then on
 */
export type CredentialKind =
  | 'challenges'
  | 'sessions'
  | 'tokens'
  | 'identities'
  | 'given_identities'
  | 'provider_identities'
  | 'other_identities'
  | 'password'
  | 'issuer_role'
  | 'role'
  | 'role_source';

export const ALL_CREDENTIALS: readonly CredentialKind[] = [
  'challenges',
  'sessions',
  'tokens',
  'identities',
  'password',
];

export interface Revocation {
  readonly reason: RevocationReason;
  readonly kinds: readonly CredentialKind[];
  /** The session that stays. */
  readonly staying?: string | undefined;
  readonly stayingIdentity?: IdentityName | undefined;
}

/** The name of a user at a provider. */
export type IdentityName = Pick<Identity, 'provider' | 'subject'>;

/** Drops what this process has cached of credentials after the commit of the unit of work that changes them. */
@Injectable()
export class CredentialCaches {
  private readonly others: (() => void)[] = [];

  constructor(
    private readonly sessions: LiveSessions,
    private readonly tokens: VerifiedTokens,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Has a feature above this one forget as well. */
  alsoForget(forget: () => void): void {
    this.others.push(forget);
  }

  /** To be called in the unit of work. */
  forgetAfterCommit(): void {
    this.unitOfWork.afterCommit(() => {
      this.sessions.forgetAll();
      this.tokens.forgetAll();
      for (const forget of this.others) forget();
    });
  }
}

/** Defines what revoking each kind of credential means. Single sessions are ended by `SessionRevocation`. */
@Injectable()
export class CredentialRevocation {
  constructor(
    readonly sessions: SessionRevocation,
    private readonly accounts: Accounts,
    private readonly clock: Clock,
    private readonly caches: CredentialCaches,
  ) {}

  /**
   * Locks rows in the order of `docs/internals.md`, whichever order the kinds have.
   *
   * @param account as read and held still in this unit of work
   * @returns the account as it is now, and counts of what it has lost, for the audit
   */
  async revoke(manager: EntityManager, account: Account, { reason, kinds, staying, stayingIdentity }: Revocation) {
    const { id } = account;
    this.caches.forgetAfterCommit();
    const ends = (kind: CredentialKind) => kinds.includes(kind);
    // Links that lock the account down stay: the mail about this very change has one.
    const isPending = { userId: id, consumedAt: IsNull(), purpose: Not('lock_down') } as const;
    if (ends('challenges')) await manager.delete(Challenge, isPending);
    const sessions = ends('sessions') ? await this.sessions.revokeAll(manager, id, reason, staying) : 0;
    const identities = await this.endIdentities(manager, account, ends, stayingIdentity);
    const tokens = ends('tokens') ? await endTokensOf(manager, id, this.clock.now()) : 0;
    const columns = endedColumns(account, ends, this.clock.now());
    const isSame = Object.keys(columns).length === 0;
    const present = isSame ? account : await this.accounts.change(manager, account, columns);
    const password = account.passwordHash !== present.passwordHash;
    return { account: present, ended: { password, sessions, identities, tokens } };
  }

  /** Deletes the credentials of a user who is removed. API tokens are revoked, and stay in the lists. */
  async erase(manager: EntityManager, userId: number): Promise<void> {
    this.caches.forgetAfterCommit();
    await manager.delete(Challenge, { userId });
    await manager.delete(Session, { userId });
    await manager.delete(Identity, { userId });
    await endTokensOf(manager, userId, this.clock.now());
  }

  private async endIdentities(
    manager: EntityManager,
    account: Account,
    ends: (kind: CredentialKind) => boolean,
    staying: IdentityName | undefined,
  ): Promise<number> {
    const which = identitiesToEnd(account, ends, staying);
    if (which === null) return 0;
    return (await manager.createQueryBuilder().delete().from(Identity).where(which).execute()).affected ?? 0;
  }
}

function endedColumns({ issuerRole, roleSource }: Account, ends: (kind: CredentialKind) => boolean, now: number) {
  return {
    ...(issuerRole !== null && (ends('identities') || ends('issuer_role')) && { issuerRole: null }),
    ...(roleSource !== null && roleColumns(ends, now)),
    ...(ends('password') && { passwordHash: null, passwordChangedAt: now, passwordGivenAt: null, updatedAt: now }),
  };
}

function roleColumns(ends: (kind: CredentialKind) => boolean, now: number): Partial<Account> {
  if (ends('role')) return { role: DEFAULT_ROLE, roleSource: null, updatedAt: now };
  return ends('role_source') ? { roleSource: null } : {};
}

/** `null`: none. */
function identitiesToEnd(
  { id: userId, passwordGivenAt, roleSource }: Account,
  ends: (kind: CredentialKind) => boolean,
  staying: IdentityName | undefined,
): FindOptionsWhere<Identity> | FindOptionsWhere<Identity>[] | null {
  if (ends('identities')) {
    if (!staying) return { userId };
    const { provider, subject } = staying;
    return [
      { userId, provider: Not(provider) },
      { userId, subject: Not(subject) },
    ];
  }
  if (ends('provider_identities')) return { userId, provider: Not(OF_ISSUER) };
  if (ends('other_identities')) return { userId, provider: And(Not('oidc'), Not(OF_ISSUER)) };
  if (!ends('given_identities') || passwordGivenAt === null) return null;
  return { userId, createdAt: MoreThanOrEqual(passwordGivenAt), provider: Not(roleSource ?? '') };
}

/** Revokes the credentials of a user when an administrator changes or removes the account. */
@Injectable()
export class ChangedAccounts implements AccountListener {
  constructor(
    private readonly tries: AccountTries,
    private readonly credentials: CredentialRevocation,
    private readonly caches: CredentialCaches,
    private readonly clock: Clock,
  ) {}

  async changed(manager: EntityManager, before: Account, after: Account): Promise<ChangeEffects> {
    this.caches.forgetAfterCommit();
    const ending = endingBy(before, after);
    if (ending) await this.credentials.revoke(manager, after, ending);
    // The wait was for guesses at the former password.
    if (after.passwordHash !== before.passwordHash) await this.tries.forgetWithin(manager, 'login', after.emailKey);
    return this.goingOn(manager, before, after);
  }

  async removed(manager: EntityManager, { id }: Account): Promise<void> {
    await this.credentials.erase(manager, id);
  }

  /** Service tokens outlive the power of the user who is responsible for them. */
  private async goingOn(manager: EntityManager, before: Account, after: Account): Promise<ChangeEffects> {
    const isDisabled = before.disabledAt === null && after.disabledAt !== null;
    if (!isDisabled && !isGrowth(after.role, before.role)) return { details: {}, serviceTokens: null };
    const hints = (await serviceTokensOf(manager, after.id, this.clock.now())).map(({ hint }) => hint);
    return { details: hints.length === 0 ? {} : { service_tokens: hints }, serviceTokens: hints.length };
  }
}

/** `null`: the change leaves all credentials as they are. */
function endingBy(before: Account, after: Account): Revocation | null {
  const hasNewPassword = after.passwordHash !== before.passwordHash;
  // Codes and links were mailed to the old address.
  const endsChallenges = hasNewPassword || after.emailKey !== before.emailKey;
  // First: the sessions of a disabled user say so.
  if (after.disabledAt !== null) {
    return {
      reason: 'disabled',
      kinds: endsChallenges ? ['challenges', 'sessions', 'tokens'] : ['sessions', 'tokens'],
    };
  }
  // What the former password may have opened or made is over.
  if (hasNewPassword) return { reason: 'password_changed', kinds: ['challenges', 'sessions', 'tokens'] };
  return endsChallenges ? { reason: 'email_changed', kinds: ['challenges', 'sessions'] } : null;
}
