import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '../../../../common/errors/domain-error.js';
import { Settings } from '../../../../config/settings.js';
import type { Account } from '../../../../users/rows/account.js';
import { SignUp } from '../../../accounts/sign-up.js';
import { mailedWays, ownersWay } from '../../../methods/sign-in-methods.js';
import type { ProviderIdentity } from '../identity/identity-provider.js';
import { accountLinkRequired, providerEmailUnverified } from '../identity/provider.errors.js';

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
    return accountLinkRequired(ownersWay(this.settings.signIn.methods));
  }

  private unprovable(): DomainError {
    const mailed = mailedWays(this.settings.signIn.methods);
    const instead = mailed === null ? 'Ask an administrator to invite you.' : `Sign in by ${mailed} from a mail.`;
    return new DomainError('signup_closed', `This address cannot be proved through the provider. ${instead}`);
  }
}
