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
import { Directory, type OpenedAccount } from '../identity/directory.js';
import type { DirectoryRole } from '../identity/directory-roles.js';
import { Identities, isOfAddress } from '../identity/identities.js';
import type { ProviderIdentity, ProviderProof } from '../identity/identity-provider.js';
import { providerEmailUnverified } from '../identity/provider.errors.js';
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
   * A policy of domains admits those who belong to a domain now, and a provider that verified an address of a
   * foreign domain long ago does not know that. Where all may sign up, such an address stays unproven: the first
   * proof by mail makes the account that of the reader alone.
   *
   * @throws {DomainError} `signup_closed`, `provider_email_unverified`
   */
  async register(manager: EntityManager, identity: ProviderIdentity): Promise<Account> {
    const { email, name, isEmailAuthoritative } = identity;
    if (!email) throw providerEmailUnverified();
    if (!isEmailAuthoritative && typeof this.settings.signIn.signUp === 'object') {
      throw this.unprovable();
    }
    return this.signUp.register(manager, email, { name, isProved: isEmailAuthoritative });
  }

  /** The refusal where an account has the address of the identity, and the provider does not speak for the mailbox. */
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

/** The account that an identity opens. */
interface FoundAccount extends OpenedAccount {
  /** Whether something was taken from it, so that what processes remember of it is old. */
  readonly hasChanged: boolean;
}

/** Whom an identity is about to be linked to. */
type Owner = Omit<FoundAccount, 'isBound'>;

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
  async find(manager: EntityManager, proof: ProviderProof): Promise<FoundAccount> {
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

  /** The address of the identity does not matter any more, but where it was another one so far. */
  private async linked(manager: EntityManager, identity: ProviderIdentity): Promise<FoundAccount | null> {
    const found = await this.identities.find(manager, identity);
    if (!found) return null;
    const account = await this.accounts.lock(manager, found.userId);
    if (!account) {
      await manager.delete(Identity, { id: found.id });
      return null;
    }
    const isBound = found.isBound || isOfAddress(identity, account);
    return (await this.identities.use(manager, { ...found, isBound })) ? unchanged(account, isBound) : null;
  }

  private async unlinked(
    manager: EntityManager,
    { identity, visitor }: ProviderProof,
    user: LinkingUser | null,
  ): Promise<FoundAccount> {
    const found = user ? null : await this.holdMailbox(manager, identity);
    // Another request of the same person may have made the account while this one waited for it.
    const meanwhile = found && (await this.linked(manager, identity));
    if (meanwhile) return meanwhile;
    const own = user
      ? await this.caller(manager, user)
      : found && (await this.proven(manager, found, identity, visitor));
    if (!own) return unchanged(await this.register(manager, identity), true);
    await this.identities.link(manager, identity, own.account, visitor);
    return { ...own, isBound: isOfAddress(identity, own.account) };
  }

  /** The session is read again once the account is held: a lock-down that came first has ended it. */
  private async caller(manager: EntityManager, user: LinkingUser): Promise<Owner> {
    this.users.requireFresh(user);
    const account = await this.accounts.lock(manager, user.userId);
    if (!account) throw sessionOver();
    await this.users.find(manager, user.session);
    requireEnabled(account);
    return { account, hasChanged: false };
  }

  /** Holds the account with the address of an identity still. `null`: there is none. */
  private async holdMailbox(
    manager: EntityManager,
    { email, isEmailVerified }: ProviderIdentity,
  ): Promise<Account | null> {
    if (!email || !isEmailVerified) throw providerEmailUnverified();
    return this.mailbox.hold(manager, email);
  }

  /**
   * Mailboxes change hands, so what a provider verified once links nothing unless the provider runs the mailbox. Accounts
   * with a role above the least are linked by the provider or the domain of the operator alone, or by their users.
   *
   * @param account as {@link holdMailbox} has it
   */
  private async proven(
    manager: EntityManager,
    account: Account,
    { isEmailAuthoritative, isOfOperator, provider, directory }: ProviderIdentity,
    visitor: Visitor,
  ): Promise<Owner> {
    const isWithinReach = account.role === DEFAULT_ROLE || isOfOperator;
    if (!isEmailAuthoritative || !isWithinReach) throw this.signUp.linkRequired();
    const hasChanged = account.emailVerifiedAt === null;
    // `Directory.admit` gives it once the identity is linked.
    const hasRole = directory?.kind === 'role' && account.roleSource === provider;
    return { account: await this.mailbox.prove(manager, account, { visitor, hasRole }), hasChanged };
  }

  private async register(manager: EntityManager, identity: ProviderIdentity): Promise<Account> {
    const account = await this.signUp.register(manager, identity);
    await this.identities.add(manager, identity, account);
    return account;
  }
}

function unchanged(account: Account, isBound: boolean): FoundAccount {
  return { account, isBound, hasChanged: false };
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
   * @throws {DomainError} `invalid_id_token` shown before or after a logout, `role_not_granted`, `last_admin`, and what {@link AccountLinking.find} throws
   */
  async use<Result>(
    proof: ProviderProof,
    work: (manager: EntityManager, account: Account) => Promise<Result>,
  ): Promise<Result> {
    const { directory } = proof.identity;
    if (directory && directory.kind !== 'role') return this.refuse(proof, directory);
    const { result, found } = await retryOnCollision(() =>
      this.unitOfWork.run(async (manager) => {
        await this.replays.spend(manager, proof.identity);
        const opened = await this.open(manager, proof);
        return { result: await work(manager, opened.account), found: opened };
      }),
    );
    // Sessions without a proof are over at once, and a role counts at once.
    if (found.hasChanged) this.directory.settled(found.account);
    return result;
  }

  private async open(manager: EntityManager, proof: ProviderProof): Promise<FoundAccount> {
    await this.directory.hold(manager, proof);
    const found = await this.linking.find(manager, proof);
    await requireNoLogout(manager, proof.identity);
    const account = await this.directory.admit(manager, found, proof);
    requireEnabled(account);
    const hasOthers = account.role !== found.account.role || account.email !== found.account.email;
    return { ...found, account, hasChanged: found.hasChanged || hasOthers };
  }

  private async refuse({ identity, visitor }: ProviderProof, { kind, message }: Refusal): Promise<never> {
    const changed = await this.unitOfWork.run(async (manager) => {
      await this.replays.spend(manager, identity);
      if (kind === 'unknown') return null;
      return kind === 'outsider'
        ? this.directory.shutOut(manager, identity, visitor)
        : this.directory.takeRole(manager, identity, visitor);
    });
    if (changed) this.directory.settled(changed);
    throw new DomainError('role_not_granted', message);
  }
}
