import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { KeyedQueue } from '../../common/keyed-queue.js';
import type { Account } from '../../users/account.js';
import { Passwords } from '../../users/passwords.js';
import { UsersService } from '../../users/users.service.js';
import { AccountTries } from '../limits/account-tries.js';

/** An account whose password was right. */
export interface Checked {
  readonly account: Account;
  /** The same password hashed at today's cost, where the stored hash is of another one. */
  readonly newHash: string | null;
}

/** Tries that may wait for others at one address, and for how long, milliseconds: a slow database must not gather them. */
const MAX_WAITING = 100;
const MAX_WAIT_MS = 10_000;

/**
 * Checks passwords, with a wait that grows with each one that was wrong. An address that nobody has is waited for and
 * hashed for as any other: neither the time nor the answer tells whether there is an account.
 */
@Injectable()
export class PasswordCheck {
  /** Tries for one address wait here for each other: nobody knows yet how the one before them ends. */
  private readonly queue = new KeyedQueue<string>();

  constructor(
    private readonly users: UsersService,
    private readonly passwords: Passwords,
    private readonly tries: AccountTries,
  ) {}

  /**
   * @param emailKey whose password it may be, see `EmailAddress`
   * @returns `null`: it is not
   * @throws {DomainError} `too_many_requests`, `overloaded`
   */
  async check(emailKey: string, password: string): Promise<Checked | null> {
    if (this.queue.lengthOf(emailKey) > MAX_WAITING) throw tooManyWaiting();
    const since = performance.now();
    return this.queue.run(emailKey, async () => {
      if (performance.now() - since > MAX_WAIT_MS) throw tooManyWaiting();
      await this.tries.takeWithDelay('login', emailKey);
      const account = await this.users.findByKey(emailKey);
      const isRight = await this.verify(emailKey, password, account);
      if (!account || !isRight) return null;
      await this.tries.forget('login', emailKey);
      return { account, newHash: await this.passwords.renewed(password, account.passwordHash) };
    });
  }

  /** Whoever was turned away because others were being served has not been wrong. */
  private async verify(emailKey: string, password: string, account: Account | null): Promise<boolean> {
    try {
      return await this.passwords.verify(password, account?.passwordHash ?? null);
    } catch (error) {
      await this.tries.giveBack('login', emailKey);
      throw error;
    }
  }
}

/** Whoever has waited for others only has not tried: it does not count. */
function tooManyWaiting(): DomainError {
  return new DomainError('overloaded', 'Too many sign-ins wait at this address. Try again in a moment.', {
    headers: { 'Retry-After': '1' },
  });
}
