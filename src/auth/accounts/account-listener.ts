import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { isGrowth } from '../../users/roles/roles.js';
import type { Account } from '../../users/rows/account.js';
import { UserListeners, type ChangeEffects, type UserListener } from '../../users/user-listeners.js';
import { AccountTries } from '../limits/account-tries.js';
import { serviceTokensOf } from '../tokens/api/rows/token-rows.js';
import { CredentialRevocation, type Revocation } from './credential-revocation.js';

/** Revokes the credentials of a user when an administrator changes or removes the account. */
@Injectable()
export class AccountListener implements UserListener, OnModuleInit {
  constructor(
    private readonly users: UserListeners,
    private readonly tries: AccountTries,
    private readonly credentials: CredentialRevocation,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.users.register(this);
  }

  async changed(manager: EntityManager, before: Account, after: Account): Promise<ChangeEffects> {
    const ending = endingBy(before, after);
    if (ending) await this.credentials.revoke(manager, after, ending);
    // The wait was for guesses at the former password.
    if (hasOther('passwordHash', before, after)) await this.tries.forgetWithin(manager, 'login', after.emailKey);
    return this.goingOn(manager, before, after);
  }

  async removed(manager: EntityManager, { id }: Account): Promise<void> {
    await this.credentials.erase(manager, id);
  }

  settled(): void {
    this.credentials.settled();
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
  const hasNewPassword = hasOther('passwordHash', before, after);
  // Codes and links were mailed to the old address.
  const endsChallenges = hasNewPassword || hasOther('emailKey', before, after);
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

function hasOther(column: 'passwordHash' | 'emailKey', before: Account, after: Account): boolean {
  return before[column] !== after[column];
}
