import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../../../common/access/caller.js';
import type { Visitor } from '../../../../common/access/visitor.js';
import { DomainError } from '../../../../common/errors/domain-error.js';
import type { ProviderName } from '../../../../config/provider-settings.js';
import type { Account } from '../../../../users/rows/account.js';
import { Accounts } from '../../../../users/rows/accounts.js';
import { DEFAULT_ROLE, isGrowth } from '../../../../users/roles/roles.js';
import { UserAuthority } from '../../../../users/roles/user-authority.js';
import { UserChanges } from '../../../../users/user-changes.js';
import type { PreparedChanges } from '../../../../users/rows/user-columns.js';
import { UserLocks } from '../../../../users/rows/user-locks.js';
import { DirectoryOwners } from './directory-owners.js';
import type { DirectoryRole } from './directory-roles.js';
import { Identities, isOfAddress } from './identities.js';
import type { ProviderIdentity, ProviderProof } from './identity-provider.js';

type GivenRole = Pick<Extract<DirectoryRole, { readonly kind: 'role' }>, 'role' | 'isAtMost'>;

/** An account, and whether a directory may give it a role by the identity that has opened it. */
export interface OpenedAccount {
  readonly account: Account;
  /** See `Identity.boundAt`. */
  readonly isBound: boolean;
}

/**
 * Applies the role that a directory gives a person, or disables their account when it gives none. An identity that is
 * not bound, or a claim without groups, can only reduce: it lowers a role that the directory gave, or disables the
 * account.
 *
 * @see ADR 23
 */
@Injectable()
export class Directory {
  constructor(
    private readonly accounts: Accounts,
    private readonly identities: Identities,
    private readonly changes: UserChanges,
    private readonly locks: UserLocks,
    private readonly owners: DirectoryOwners,
  ) {}

  /**
   * Holds the account of an identity still together with all admins, where {@link admit} is about to change it: all users
   * of a unit of work are locked in one statement, before anything else.
   */
  async hold(manager: EntityManager, { identity }: ProviderProof): Promise<void> {
    if (identity.directory?.kind !== 'role' && !identity.isEmailAuthoritative) return;
    const opened = await this.accountOf(manager, identity);
    if (!opened || !(await this.isToChange(manager, opened, identity))) return;
    await this.locks.anyWithAdmins(manager, { id: opened.account.id, beside: null });
  }

  /**
   * Gives the account the role of the directory, and lets it in again where the directory had shut it out. An account
   * that an administrator has disabled stays as it is. Where who else opens an account is not known, more scopes leave it
   * to the person whom the directory knows, with the address that it has of them.
   *
   * An account that had to do without an address gets one as soon as the provider speaks for one.
   *
   * @param opened held still in this unit of work
   * @throws {DomainError} `last_admin`
   */
  async admit(manager: EntityManager, opened: OpenedAccount, proof: ProviderProof): Promise<Account> {
    const account = await this.give(manager, opened, proof);
    if (!opened.isBound || account.disabledAt !== null) return account;
    const { identity, visitor } = proof;
    return this.owners.address(manager, account, identity, authorityOf(identity.provider, visitor));
  }

  private async give(manager: EntityManager, opened: OpenedAccount, proof: ProviderProof): Promise<Account> {
    const { account } = opened;
    const { directory, provider } = proof.identity;
    // A change holds all admins still: a sign-in that changes nothing waits for none of them.
    if (directory?.kind !== 'role' || !isChanged(opened, directory, provider)) return account;
    const by = authorityOf(provider, proof.visitor);
    if (isOpen(account) && isGrowth(account.role, directory.role)) {
      await this.owners.restrict(manager, account, proof, by);
    }
    const enabling = account.disabledAt === null ? {} : { disabled: false };
    const changes = { role: directory.role, roleSource: provider, ...enabling };
    return (await this.changes.change(manager, account.id, changes, by)).user;
  }

  /**
   * Disables the account of an identity whose person belongs to no group any more. The last admin who can act stays.
   *
   * @returns the account; `null`: the identity opens none
   */
  shutOut(manager: EntityManager, identity: ProviderIdentity, visitor: Visitor): Promise<Account | null> {
    const changes = { disabled: true, disabledReason: identity.provider };
    return this.take(manager, { identity, visitor }, () => changes);
  }

  /**
   * Makes the role of an account the least one that came from a directory which says nothing of groups any more. A person
   * who has left all of them has none; the account stays, since the claim may only be set up wrongly. The last admin who can
   * act stays one.
   *
   * @returns the account; `null`: there is nothing to take
   */
  takeRole(manager: EntityManager, identity: ProviderIdentity, visitor: Visitor): Promise<Account | null> {
    const { provider } = identity;
    const word = { role: DEFAULT_ROLE, isAtMost: true };
    return this.take(manager, { identity, visitor }, (account) =>
      isChanged({ account, isBound: true }, word, provider) ? { role: DEFAULT_ROLE, roleSource: provider } : null,
    );
  }

  private async take(
    manager: EntityManager,
    { identity, visitor }: Pick<ProviderProof, 'identity' | 'visitor'>,
    changesOf: (account: Account) => PreparedChanges | null,
  ): Promise<Account | null> {
    const { provider } = identity;
    const linked = await this.identities.find(manager, identity);
    const account = linked === null ? null : await this.accounts.find(manager, linked.userId);
    if (account?.disabledAt !== null) return null;
    const changes = changesOf(account);
    if (changes === null) return null;
    try {
      return (await this.changes.change(manager, account.id, changes, authorityOf(provider, visitor))).user;
    } catch (error) {
      // It is asked before anything is written.
      if (error instanceof DomainError && error.error === 'last_admin') return null;
      throw error;
    }
  }

  /** To be called after the commit. */
  settled(account: Account): void {
    this.changes.settled(account.id);
  }

  private async isToChange(
    manager: EntityManager,
    opened: OpenedAccount,
    identity: ProviderIdentity,
  ): Promise<boolean> {
    const { directory, provider } = identity;
    if (directory?.kind === 'role' && isChanged(opened, directory, provider)) return true;
    return opened.isBound && (await this.owners.addressFor(manager, opened.account, identity)) !== null;
  }

  /** The account that the identity opens, or is about to be linked to by its address. Locks nothing. */
  private async accountOf(manager: EntityManager, identity: ProviderIdentity): Promise<OpenedAccount | null> {
    const linked = await this.identities.find(manager, identity);
    const account = linked
      ? await this.accounts.find(manager, linked.userId)
      : identity.email && (await this.accounts.findByEmail(manager, identity.email));
    return account && { account, isBound: linked?.isBound === true || isOfAddress(identity, account) };
  }
}

/** Whether the word of the directory changes the account. */
function isChanged(
  { account, isBound }: OpenedAccount,
  { role: given, isAtMost }: GivenRole,
  provider: ProviderName,
): boolean {
  const { role, roleSource, disabledAt, disabledReason } = account;
  const gives = isBound && !isAtMost;
  if (disabledAt !== null) return gives && disabledReason === provider;
  if (!gives) return roleSource === provider && isGrowth(given, role);
  return role !== given || roleSource !== provider;
}

/** Whether others than its owner may be able to open the account. */
function isOpen({ emailVerifiedAt, passwordGivenAt }: Account): boolean {
  return emailVerifiedAt === null || passwordGivenAt !== null;
}

function authorityOf(provider: ProviderName, visitor: Visitor): UserAuthority {
  const directory: Caller = { kind: 'token', id: null, name: `provider:${provider}`, scopes: new Set(['*']) };
  return new UserAuthority(directory, visitor);
}
