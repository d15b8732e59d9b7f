import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import type { EmailAddress } from '../../common/text/email-address.js';
import { Settings } from '../../config/settings.js';
import { isUniqueViolation } from '../../database/dialect/database-error.js';
import type { Account } from '../../users/rows/account.js';
import { Accounts } from '../../users/rows/accounts.js';

interface NewOwner {
  /** `null`: unknown, and the account is named after the address. */
  readonly name: string | null;
  readonly isProved: boolean;
}

/** Decides by `SIGNUP` whether the owner of a proved address gets an account. */
@Injectable()
export class SignUp {
  constructor(
    private readonly settings: Settings,
    private readonly accounts: Accounts,
  ) {}

  isOpenTo({ key }: EmailAddress): boolean {
    const { signUp } = this.settings.signIn;
    if (signUp === 'closed' || signUp === 'open') return signUp === 'open';
    return signUp.domains.includes(key.slice(key.lastIndexOf('@') + 1));
  }

  /** The new account of an address. @throws {DomainError} `signup_closed` */
  async register(manager: EntityManager, email: EmailAddress, { name, isProved }: NewOwner): Promise<Account> {
    if (!this.isOpenTo(email)) {
      const message = 'There is no account for this address, and accounts are by invitation only.';
      throw new DomainError('signup_closed', message);
    }
    const called = name ?? email.address.slice(0, email.address.indexOf('@'));
    return this.accounts.register(manager, email, { name: called, isProved });
  }
}

/** Two requests that add the account of one address collide once at most: the second try finds the account. */
const MAX_TRIES = 3;

/** Runs a unit of work that may add an account, again if another request has added it meanwhile. */
export async function retryOnCollision<Result>(unit: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await unit();
    } catch (error) {
      if (tries === MAX_TRIES || !isUniqueViolation(error)) throw error;
    }
  }
}
