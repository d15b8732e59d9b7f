import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AuditDetails } from '../../audit/audit-event.js';
import type { Reader } from '../../database/statements/reads.js';
import type { Account } from './account.js';

/** The columns of an account that its user may sign in by. */
export type SignInColumns = Pick<Account, 'id' | 'passwordHash' | 'emailVerifiedAt'>;

/** Facts about the credentials of accounts. */
export interface CredentialSource {
  /** True if the settings let the user of one of the accounts sign in. Whether an account is disabled is not asked. */
  isAnyUsable(reader: Reader, accounts: readonly SignInColumns[]): Promise<boolean>;

  /** @param since only identities that were linked from then on, milliseconds since 1970, UTC */
  hasIdentity(manager: EntityManager, userId: number, since?: number): Promise<boolean>;

  /** True if a session or a personal API token opens the account. @param now milliseconds since 1970, UTC */
  isInUse(manager: EntityManager, userId: number, now: number): Promise<boolean>;
}

export interface ChangeEffects {
  readonly details: AuditDetails;
  /** Living service tokens of an owner who was disabled or has fewer scopes now; `null`: neither. */
  readonly serviceTokens: number | null;
}

export interface AccountListener {
  /** Called in the unit of work that changed the account. */
  changed(manager: EntityManager, before: Account, after: Account): Promise<ChangeEffects>;
  /** Called in the unit of work that removes the account, before it is gone. */
  removed(manager: EntityManager, account: Account): Promise<void>;
}

/** Port to the credentials of accounts, at which the feature that keeps them registers itself. */
@Injectable()
export class CredentialLookup {
  private registered: CredentialSource | undefined;
  listener: AccountListener | undefined;

  use(source: CredentialSource, listener?: AccountListener): void {
    this.registered = source;
    this.listener = listener;
  }

  get source(): CredentialSource {
    if (!this.registered) throw new Error('Nothing is registered that knows the credentials of accounts.');
    return this.registered;
  }

  async changed(manager: EntityManager, before: Account, after: Account): Promise<ChangeEffects> {
    return (await this.listener?.changed(manager, before, after)) ?? { details: {}, serviceTokens: null };
  }
}
