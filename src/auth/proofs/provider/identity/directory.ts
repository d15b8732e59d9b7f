import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../../../common/access/caller.js';
import type { Visitor } from '../../../../common/access/visitor.js';
import { DomainError } from '../../../../common/errors/domain-error.js';
import type { ProviderName } from '../../../../config/provider-settings.js';
import { DEFAULT_ROLE, isGrowth } from '../../../../users/roles/roles.js';
import { UserAuthority } from '../../../../users/roles/user-authority.js';
import type { Account } from '../../../../users/rows/account.js';
import { Accounts, isUnreachable, unreachableAddress } from '../../../../users/rows/accounts.js';
import type { PreparedChanges } from '../../../../users/rows/user-columns.js';
import { UserChanges } from '../../../../users/user-changes.js';
import { endLockDownLinks } from '../../../accounts/credential-revocation.js';
import { ProvenMailbox } from '../../../accounts/proven-mailbox.js';
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
 * Applies the role that a directory gives a person, or disables their account when it gives none. An identity that is not
 * bound, or a claim without groups, can only reduce.
 *
 * @see ADR 23
 */
@Injectable()
export class Directory {
  constructor(
    private readonly accounts: Accounts,
    private readonly identities: Identities,
    private readonly changes: UserChanges,
    private readonly mailbox: ProvenMailbox,
  ) {}

  /** Holds the account of an identity still together with all admins, if {@link admit} is about to change it. */
  async hold(manager: EntityManager, { identity }: ProviderProof): Promise<void> {
    if (identity.directory?.kind !== 'role' && !identity.isEmailAuthoritative) return;
    const opened = await this.accountOf(manager, identity);
    if (!opened || !(await this.isToChange(manager, opened, identity))) return;
    await this.accounts.lockAnyWithAdmins(manager, { id: opened.account.id, beside: null });
  }

  /**
   * Gives the account the role of the directory, and lets it in again if the directory had shut it out. Where others may
   * open an account too, more scopes leave it to the person whom the directory knows, with the address that it has of them.
   * An account without an address gets one as soon as the provider speaks for one.
   *
   * @param opened held still in this unit of work
   * @throws {DomainError} `last_admin`
   */
  async admit(manager: EntityManager, opened: OpenedAccount, proof: ProviderProof): Promise<Account> {
    const account = await this.give(manager, opened, proof);
    if (!opened.isBound || account.disabledAt !== null) return account;
    const { identity, visitor } = proof;
    return this.address(manager, account, identity, authorityOf(identity.provider, visitor));
  }

  private async give(manager: EntityManager, opened: OpenedAccount, proof: ProviderProof): Promise<Account> {
    const { account } = opened;
    const { directory, provider } = proof.identity;
    // A change holds all admins still: a sign-in that changes nothing waits for none of them.
    if (directory?.kind !== 'role' || !isChanged(opened, directory, provider)) return account;
    const by = authorityOf(provider, proof.visitor);
    if (isOpen(account) && isGrowth(account.role, directory.role)) {
      await this.restrict(manager, account, proof, by);
    }
    const enabling = account.disabledAt === null ? {} : { disabled: false };
    const changes = { role: directory.role, roleSource: provider, ...enabling };
    return (await this.changes.change(manager, account.id, changes, by)).user;
  }

  /** Disables the account of an identity whose person belongs to no group any more, but not that of the last admin. */
  shutOut(manager: EntityManager, identity: ProviderIdentity, visitor: Visitor): Promise<void> {
    const changes = { disabled: true, disabledReason: identity.provider };
    return this.take(manager, { identity, visitor }, () => changes);
  }

  /**
   * Makes a role the least one that came from a directory which says nothing of groups any more. The account stays, since the
   * claim may only be set up wrongly, and so does the last admin.
   */
  takeRole(manager: EntityManager, identity: ProviderIdentity, visitor: Visitor): Promise<void> {
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
  ): Promise<void> {
    const { provider } = identity;
    const linked = await this.identities.find(manager, identity);
    const account = linked === null ? null : await this.accounts.find(manager, linked.userId);
    if (account?.disabledAt !== null) return;
    const changes = changesOf(account);
    if (changes === null) return;
    try {
      await this.changes.change(manager, account.id, changes, authorityOf(provider, visitor));
    } catch (error) {
      // It is asked before anything is written.
      if (!(error instanceof DomainError && error.error === 'last_admin')) throw error;
    }
  }

  /**
   * Takes away what else opens an account than the identity, and an address that is not proved. The address is first: notices
   * go there.
   */
  private async restrict(manager: EntityManager, account: Account, proof: ProviderProof, by: UserAuthority) {
    const isProved = account.emailVerifiedAt !== null;
    const own = isProved ? account : await this.settleAddress(manager, account, proof.identity, by);
    await this.mailbox.restrictTo(manager, own, proof);
  }

  /** Gives an account at whose address no mail arrives the one that the provider speaks for, if no other account has it. */
  private async address(manager: EntityManager, account: Account, identity: ProviderIdentity, by: UserAuthority) {
    // Sessions end with the former address, as by any change of it.
    const isDue = identity.isEmailAuthoritative && isUnreachable(account, identity.provider);
    const email = isDue ? await this.freeAddress(manager, identity) : null;
    if (email === null) return account;
    const { user } = await this.changes.change(manager, account.id, { email, emailSource: identity.provider }, by);
    return this.accounts.verify(manager, user);
  }

  /**
   * Replaces an address that is not proved, since the first proof of it would make the account that of its reader. The
   * account gets the address that the provider has verified, or one at which no mail arrives.
   */
  private async settleAddress(
    manager: EntityManager,
    account: Account,
    identity: ProviderIdentity,
    authority: UserAuthority,
  ): Promise<Account> {
    const own = isOfAddress(identity, account)
      ? account
      : await this.replaceAddress(manager, account, identity, authority);
    const isProved = identity.isEmailAuthoritative && isOfAddress(identity, own);
    return isProved ? this.accounts.verify(manager, own) : own;
  }

  private async replaceAddress(
    manager: EntityManager,
    { id, email: former }: Account,
    identity: ProviderIdentity,
    authority: UserAuthority,
  ): Promise<Account> {
    await endLockDownLinks(manager, id, former);
    const email = (await this.freeAddress(manager, identity)) ?? unreachableAddress(identity.provider);
    return (await this.changes.change(manager, id, { email, emailSource: identity.provider }, authority)).user;
  }

  /** `null`: there is none, or another account has it. The unique index decides if another request takes it meanwhile. */
  private async freeAddress(manager: EntityManager, { email, isEmailVerified }: ProviderIdentity) {
    if (email === null || !isEmailVerified) return null;
    return (await this.accounts.findByEmail(manager, email)) === null ? email : null;
  }

  private async isToChange(manager: EntityManager, opened: OpenedAccount, identity: ProviderIdentity) {
    const { directory, provider } = identity;
    if (directory?.kind === 'role' && isChanged(opened, directory, provider)) return true;
    const isDue = opened.isBound && identity.isEmailAuthoritative && isUnreachable(opened.account, provider);
    return isDue && (await this.freeAddress(manager, identity)) !== null;
  }

  /** The account that the identity opens, or is about to be linked to. Locks nothing. */
  private async accountOf(manager: EntityManager, identity: ProviderIdentity): Promise<OpenedAccount | null> {
    const linked = await this.identities.find(manager, identity);
    const account = linked
      ? await this.accounts.find(manager, linked.userId)
      : identity.email && (await this.accounts.findByEmail(manager, identity.email));
    return account && { account, isBound: linked?.isBound === true || isOfAddress(identity, account) };
  }
}

function isChanged({ account, isBound }: OpenedAccount, { role: given, isAtMost }: GivenRole, provider: ProviderName) {
  const { role, roleSource, disabledAt, disabledReason } = account;
  const gives = isBound && !isAtMost;
  if (disabledAt !== null) return gives && disabledReason === provider;
  if (!gives) return roleSource === provider && isGrowth(given, role);
  return role !== given || roleSource !== provider;
}

/** True if others may be able to open the account. */
function isOpen({ emailVerifiedAt, passwordGivenAt }: Account): boolean {
  return emailVerifiedAt === null || passwordGivenAt !== null;
}

function authorityOf(provider: ProviderName, visitor: Visitor): UserAuthority {
  const directory: Caller = { kind: 'token', id: null, name: `provider:${provider}`, scopes: new Set(['*']) };
  return new UserAuthority(directory, visitor);
}
