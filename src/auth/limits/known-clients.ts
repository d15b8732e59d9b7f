import { Injectable } from '@nestjs/common';
import type { Visitor } from '../../common/access/visitor.js';
import type { RouteBudget } from '../../common/rate-limits/budgets.js';
import { KeyedLimits } from '../../common/rate-limits/keyed-limits.js';
import type { Account } from '../../users/rows/account.js';
import { UsersService } from '../../users/users.service.js';
import { DeviceCookie } from './device-cookie.js';

/** A device or session in which a user has signed in before: its failures are counted apart from those of unknown clients. */
export interface KnownClient {
  readonly id: string;
  /** A new password begins with new counters. */
  readonly passwordHash: string | null;
}

/**
 * Recognises clients that a user has signed in with, so that failures of others do not lock the user out there.
 *
 * @see OWASP, "Slow Down Online Guessing Attacks with Device Cookies"
 */
@Injectable()
export class KnownClients {
  constructor(
    private readonly cookie: DeviceCookie,
    private readonly users: UsersService,
    private readonly limits: KeyedLimits,
  ) {}

  /**
   * The device of a request; `null`: it is not one of the user with that address. A device of another user, which the
   * guard has counted by itself, draws from the budgets of its address too: it is known for its own user only.
   *
   * @param budget what the route draws from beside `auth`
   * @throws {DomainError} `too_many_requests`
   */
  async deviceOf({ device, ip }: Visitor, emailKey: string, budget: RouteBudget): Promise<KnownClient | null> {
    const shown = this.cookie.read(device);
    if (!shown) return null;
    const account = await this.users.findByKey(emailKey);
    if (account && this.cookie.isOf(shown, account)) {
      return { id: `device:${shown.id}`, passwordHash: account.passwordHash };
    }
    await this.limits.takeByAddress('auth', ip);
    await this.limits.takeByAddress(budget, ip);
    return null;
  }
}

/** The session of a user who shows the password once more. */
export function sessionClient(sessionId: string, { passwordHash }: Account): KnownClient {
  return { id: `session:${sessionId}`, passwordHash };
}
