import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Account } from '../../../../users/rows/account.js';
import { Accounts } from '../../../../users/rows/accounts.js';
import type { EmailAddress } from '../../../../common/text/email-address.js';
import { isUnreachable, unreachableAddress } from '../../../../users/rows/unreachable-address.js';
import type { UserAuthority } from '../../../../users/roles/user-authority.js';
import { UserChanges } from '../../../../users/user-changes.js';
import { endLockDownLinks } from '../../../accounts/credential-revocation.js';
import { ProvenMailbox } from '../../../accounts/proven-mailbox.js';
import { isOfAddress } from './identities.js';
import type { ProviderIdentity, ProviderProof } from './identity-provider.js';

/** Leaves accounts to the people whom a directory knows by an identity. */
@Injectable()
export class DirectoryOwners {
  constructor(
    private readonly accounts: Accounts,
    private readonly changes: UserChanges,
    private readonly mailbox: ProvenMailbox,
  ) {}

  /**
   * Takes away what else opens an account than the identity, and an address that is not proved. The address is first:
   * notices go there.
   *
   * @param account held still in this unit of work, and about to get more scopes
   */
  async restrict(manager: EntityManager, account: Account, proof: ProviderProof, by: UserAuthority): Promise<void> {
    const isProved = account.emailVerifiedAt !== null;
    const own = isProved ? account : await this.settle(manager, account, proof.identity, by);
    await this.mailbox.restrictTo(manager, own, proof);
  }

  /**
   * Gives an account at whose address no mail arrives the one that the provider speaks for, once no other account has it.
   * Sessions end with the former address, as by any change of it.
   *
   * @param account held still in this unit of work
   */
  async address(
    manager: EntityManager,
    account: Account,
    identity: ProviderIdentity,
    by: UserAuthority,
  ): Promise<Account> {
    const email = await this.addressFor(manager, account, identity);
    if (email === null) return account;
    const changes = { email, emailSource: identity.provider };
    const { user } = await this.changes.change(manager, account.id, changes, by);
    return this.accounts.verify(manager, user);
  }

  /** What {@link address} is about to give the account; `null`: nothing. */
  async addressFor(manager: EntityManager, account: Account, identity: ProviderIdentity): Promise<EmailAddress | null> {
    const isDue = identity.isEmailAuthoritative && isUnreachable(account, identity.provider);
    return isDue ? this.freeAddress(manager, identity) : null;
  }

  /**
   * Replaces an address that is not proved: who has set it is not known, and the first proof of it would make the account
   * that of its reader. Links that were mailed there end. The account gets the address that the provider has verified, which
   * is proved where the provider speaks for it; or one at which no mail arrives, where there is none or another account
   * has it.
   */
  private async settle(
    manager: EntityManager,
    account: Account,
    identity: ProviderIdentity,
    authority: UserAuthority,
  ): Promise<Account> {
    const isOwn = isOfAddress(identity, account);
    const own = isOwn ? account : await this.replace(manager, account, identity, authority);
    const isProved = identity.isEmailAuthoritative && isOfAddress(identity, own);
    return isProved ? this.accounts.verify(manager, own) : own;
  }

  private async replace(
    manager: EntityManager,
    { id, email: former }: Account,
    identity: ProviderIdentity,
    authority: UserAuthority,
  ): Promise<Account> {
    await endLockDownLinks(manager, id, former);
    const email = (await this.freeAddress(manager, identity)) ?? unreachableAddress(identity.provider);
    return (await this.changes.change(manager, id, { email, emailSource: identity.provider }, authority)).user;
  }

  /** The unique index decides where another request takes it at the same moment: the unit of work runs again. */
  private async freeAddress(
    manager: EntityManager,
    { email, isEmailVerified }: ProviderIdentity,
  ): Promise<EmailAddress | null> {
    if (email === null || !isEmailVerified) return null;
    return (await this.accounts.findByEmail(manager, email)) === null ? email : null;
  }
}
