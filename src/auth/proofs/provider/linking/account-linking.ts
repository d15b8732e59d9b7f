import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Visitor } from '../../../../common/access/visitor.js';
import { DomainError } from '../../../../common/errors/domain-error.js';
import { Settings } from '../../../../config/settings.js';
import { UnitOfWork } from '../../../../database/units/unit-of-work.js';
import { DEFAULT_ROLE } from '../../../../users/roles/roles.js';
import type { Account } from '../../../../users/rows/account.js';
import { Accounts } from '../../../../users/rows/accounts.js';
import { Identity } from '../../../accounts/identity.entity.js';
import { ProvenMailbox } from '../../../accounts/proven-mailbox.js';
import { retryOnCollision, SignUp } from '../../../accounts/sign-up.js';
import { mailedWays, ownersWay } from '../../../methods/sign-in-methods.js';
import { requireEnabled } from '../../../sessions/lifecycle/session-opener.js';
import type { DirectoryRole } from '../identity/directory-roles.js';
import { Directory, type OpenedAccount } from '../identity/directory.js';
import { Identities, isOfAddress } from '../identity/identities.js';
import { type ProviderIdentity, type ProviderProof, providerEmailUnverified } from '../identity/identity-provider.js';
import { ReplayGuard, requireNoLogout } from '../identity/replay-guard.js';
import { LinkingUsers, sessionOver, type LinkingUser } from './linking-users.js';

/** Makes accounts for identities that have none. */
@Injectable()
export class ProviderSignUp {
  constructor(
    private readonly settings: Settings,
    private readonly signUp: SignUp,
  ) {}

  /**
   * A policy of domains admits who belongs to a domain now, and a provider may have verified a foreign address long ago.
   * If all may sign up, such an address stays unproven.
   *
   * @throws {DomainError} `signup_closed`, `provider_email_unverified`
   */
  async register(manager: EntityManager, identity: ProviderIdentity): Promise<Account> {
    const { email, name, isEmailAuthoritative } = identity;
    if (!email) throw providerEmailUnverified();
    if (!isEmailAuthoritative && typeof this.settings.signIn.signUp === 'object') throw this.unprovable();
    return this.signUp.register(manager, email, { name, isProved: isEmailAuthoritative });
  }

  /** The refusal if an account has the address of the identity, and the provider does not speak for the mailbox. */
  linkRequired(): DomainError {
    const way = ownersWay(this.settings.signIn.methods);
    const message = `An account has this e-mail address already. Sign in with ${way} first, then link the provider to it.`;
    return new DomainError('account_link_required', message);
  }

  private unprovable(): DomainError {
    const mailed = mailedWays(this.settings.signIn.methods);
    const instead = mailed === null ? 'Ask an administrator to invite you.' : `Sign in by ${mailed} from a mail.`;
    return new DomainError('signup_closed', `This address cannot be proved through the provider. ${instead}`);
  }
}

/**
 * Finds the account of an identity, in this order: the one that it is linked to; the one of the user who is signed in;
 * the one with its e-mail address, as far as the provider speaks for the mailbox; a new one.
 */
@Injectable()
export class AccountLinking {
  constructor(
    private readonly accounts: Accounts,
    private readonly identities: Identities,
    private readonly mailbox: ProvenMailbox,
    private readonly signUp: ProviderSignUp,
    private readonly users: LinkingUsers,
  ) {}

  /**
   * A linked account may be disabled.
   *
   * @throws {DomainError} `account_disabled`, `provider_email_unverified`, `account_link_required`, `signup_closed`,
   *   `identity_taken`, `insufficient_user_authentication`, `invalid_token`
   */
  async find(manager: EntityManager, proof: ProviderProof): Promise<OpenedAccount> {
    const { identity, session } = proof;
    const user = session === null ? null : await this.users.find(manager, session);
    const linked = await this.linked(manager, identity);
    // The session must not become one of another user.
    if (linked && user && user.userId !== linked.account.id) {
      const message = 'This identity is linked to another account. Sign out, or unlink it there first.';
      throw new DomainError('identity_taken', message);
    }
    return linked ?? this.unlinked(manager, proof, user);
  }

  private async linked(manager: EntityManager, identity: ProviderIdentity): Promise<OpenedAccount | null> {
    const found = await this.identities.find(manager, identity);
    if (!found) return null;
    const account = await this.accounts.lock(manager, found.userId);
    if (!account) {
      await manager.delete(Identity, { id: found.id });
      return null;
    }
    const isBound = found.isBound || isOfAddress(identity, account);
    return (await this.identities.use(manager, { ...found, isBound })) ? { account, isBound } : null;
  }

  private async unlinked(manager: EntityManager, { identity, visitor }: ProviderProof, user: LinkingUser | null) {
    const found = user ? null : await this.holdMailbox(manager, identity);
    // Another request of the same person may have made the account while this one waited for it.
    const meanwhile = found && (await this.linked(manager, identity));
    if (meanwhile) return meanwhile;
    const own = user
      ? await this.caller(manager, user)
      : found && (await this.proven(manager, found, identity, visitor));
    if (!own) {
      const account = await this.signUp.register(manager, identity);
      await this.identities.add(manager, identity, account, true);
      return { account, isBound: true };
    }
    await this.identities.link(manager, identity, own, visitor);
    return { account: own, isBound: isOfAddress(identity, own) };
  }

  /** The session is read again once the account is held: a lock-down that came first has ended it. */
  private async caller(manager: EntityManager, user: LinkingUser): Promise<Account> {
    this.users.requireFresh(user);
    const account = await this.accounts.lock(manager, user.userId);
    if (!account) throw sessionOver();
    await this.users.find(manager, user.session);
    requireEnabled(account);
    return account;
  }

  private async holdMailbox(manager: EntityManager, { email, isEmailVerified }: ProviderIdentity) {
    if (!email || !isEmailVerified) throw providerEmailUnverified();
    return this.mailbox.hold(manager, email);
  }

  /**
   * A provider that verified an address once links nothing unless it runs the mailbox. Accounts with a role above the least are linked
   * by the provider or the domain of the operator alone, or by their users.
   */
  private async proven(
    manager: EntityManager,
    account: Account,
    { isEmailAuthoritative, isOfOperator, provider, directory }: ProviderIdentity,
    visitor: Visitor,
  ): Promise<Account> {
    const isWithinReach = account.role === DEFAULT_ROLE || isOfOperator;
    if (!isEmailAuthoritative || !isWithinReach) throw this.signUp.linkRequired();
    // `Directory.admit` gives it once the identity is linked.
    const hasRole = directory?.kind === 'role' && account.roleSource === provider;
    return this.mailbox.prove(manager, account, { visitor, hasRole });
  }
}

type Refusal = Exclude<DirectoryRole, { readonly kind: 'role' }>;

/** Takes a proof once, and works with the account that it opens. */
@Injectable()
export class AccountResolver {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly replays: ReplayGuard,
    private readonly linking: AccountLinking,
    private readonly directory: Directory,
  ) {}

  /**
   * @param work done in the unit of work that takes the proof
   * @throws {DomainError} `invalid_id_token`, `role_not_granted`, `last_admin`, and what {@link AccountLinking.find} throws
   */
  async use<Result>(
    proof: ProviderProof,
    work: (manager: EntityManager, account: Account) => Promise<Result>,
  ): Promise<Result> {
    const { directory } = proof.identity;
    if (directory && directory.kind !== 'role') return this.refuse(proof, directory);
    return retryOnCollision(() =>
      this.unitOfWork.run(async (manager) => {
        await this.replays.spend(manager, proof.identity);
        return work(manager, await this.open(manager, proof));
      }),
    );
  }

  private async open(manager: EntityManager, proof: ProviderProof): Promise<Account> {
    await this.directory.hold(manager, proof);
    const found = await this.linking.find(manager, proof);
    await requireNoLogout(manager, proof.identity);
    const account = await this.directory.admit(manager, found, proof);
    requireEnabled(account);
    return account;
  }

  private async refuse({ identity, visitor }: ProviderProof, { kind, message }: Refusal): Promise<never> {
    await this.unitOfWork.run(async (manager) => {
      await this.replays.spend(manager, identity);
      if (kind === 'outsider') await this.directory.shutOut(manager, identity, visitor);
      if (kind === 'silent') await this.directory.takeRole(manager, identity, visitor);
    });
    throw new DomainError('role_not_granted', message);
  }
}
