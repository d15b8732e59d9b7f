import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Account } from '../../users/account.js';
import { Accounts } from '../../users/accounts.js';
import { ProvenMailbox, requireEnabled } from '../accounts/proven-mailbox.js';
import { Identities } from './identities.js';
import type { ProviderIdentity } from './identity-provider.js';
import { LinkWishes } from './link-wishes.js';
import { ProviderSignUp } from './provider-sign-up.js';
import { accountLinkRequired, providerEmailUnverified } from './provider.errors.js';

/** The account that an identity opens. */
export interface FoundAccount {
  readonly account: Account;
  /** Whether nobody had proved its address before, so that what others had of it is gone. */
  readonly isFirstProof: boolean;
}

/**
 * Finds the account of an identity, in this order: the one that it is linked to; the one of whoever is signed in; the
 * one with its e-mail address, as far as the provider has verified it; a new one.
 */
@Injectable()
export class AccountLinking {
  constructor(
    private readonly accounts: Accounts,
    private readonly identities: Identities,
    private readonly mailbox: ProvenMailbox,
    private readonly signUp: ProviderSignUp,
    private readonly wishes: LinkWishes,
  ) {}

  /**
   * @param session of whoever is signed in and asks for the link; `null`: nobody is
   * @throws {DomainError} `account_disabled`, `provider_email_unverified`, `account_link_required`, `signup_closed`
   */
  async find(manager: EntityManager, identity: ProviderIdentity, session: string | null): Promise<FoundAccount> {
    const linked = await this.linked(manager, identity);
    if (linked) return { account: linked, isFirstProof: false };
    const own = (await this.caller(manager, session)) ?? (await this.ownerOfMailbox(manager, identity));
    if (!own) return { account: await this.register(manager, identity), isFirstProof: false };
    await this.identities.link(manager, identity, own.account);
    return own;
  }

  /** What the provider tells of the address does not matter any more. */
  private async linked(manager: EntityManager, identity: ProviderIdentity): Promise<Account | null> {
    const found = await this.identities.find(manager, identity);
    if (!found) return null;
    const account = await this.accounts.lock(manager, found.userId);
    if (!account) {
      await this.identities.remove(manager, found);
      return null;
    }
    if (!(await this.identities.use(manager, found))) return null;
    requireEnabled(account);
    return account;
  }

  private async caller(manager: EntityManager, session: string | null): Promise<FoundAccount | null> {
    const userId = await this.wishes.userOf(manager, session);
    const account = userId === null ? null : await this.accounts.lock(manager, userId);
    if (!account) return null;
    requireEnabled(account);
    return { account, isFirstProof: false };
  }

  /** An account that nobody has proved becomes theirs alone who reads its mail, so hearsay is not enough for that. */
  private async ownerOfMailbox(manager: EntityManager, identity: ProviderIdentity): Promise<FoundAccount | null> {
    const { email, isEmailVerified, isEmailAuthoritative } = identity;
    if (!email || !isEmailVerified) throw providerEmailUnverified();
    const account = await this.accounts.lockByEmail(manager, email);
    if (!account) return null;
    const isFirstProof = account.emailVerifiedAt === null;
    if (isFirstProof && !isEmailAuthoritative) throw accountLinkRequired();
    return { account: await this.mailbox.prove(manager, account), isFirstProof };
  }

  private async register(manager: EntityManager, identity: ProviderIdentity): Promise<Account> {
    const account = await this.signUp.register(manager, identity);
    await this.identities.add(manager, identity, account);
    return account;
  }
}
