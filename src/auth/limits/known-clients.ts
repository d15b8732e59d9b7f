import { Injectable } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import { type Visitor, DEVICE_COOKIE } from '../../common/access/visitor.js';
import { Clock } from '../../common/clock.js';
import type { RouteBudget } from '../../common/rate-limits/budgets.js';
import { KeyedLimits } from '../../common/rate-limits/keyed-limits.js';
import { Settings } from '../../config/settings.js';
import { AppKeys } from '../../config/values/app-keys.js';
import type { Account } from '../../users/rows/account.js';
import { UsersService } from '../../users/users.service.js';
import { isSame, newSecret, ownCookie } from '../secrets/secrets.js';

const LIFE_SECONDS = 180 * 86_400;
/** User id, end in seconds since 1970, stamp of the last change of the password, random, HMAC. */
const DEVICE = /^([1-9]\d{0,15}\.\d{1,12}\.[\w-]{43}\.[\w-]{43})\.([\w-]{43})$/;

export interface Device {
  readonly userId: number;
  /** See {@link DeviceCookie.isOf}. */
  readonly stamp: string;
  /** Random; distinguishes the devices of a user. */
  readonly id: string;
}

/**
 * The cookie by which a device is known on which a user has signed in. It opens nothing: failures that come with it are
 * counted apart from those of other devices. `APP_SECRET` signs it, and nothing is stored.
 */
@Injectable()
export class DeviceCookie {
  /** The first one signs. */
  private readonly keys: readonly Buffer[];
  private readonly name: string;
  private readonly attributes: string;

  constructor(
    keys: AppKeys,
    private readonly clock: Clock,
    settings: Settings,
  ) {
    this.keys = keys.keys('device');
    const { name, path, secure } = ownCookie(settings, DEVICE_COOKIE);
    this.name = name;
    this.attributes = `Path=${path}; HttpOnly; SameSite=Strict${secure}`;
  }

  /** @returns the `Set-Cookie` header for the device on which this user has just signed in */
  keep(account: Pick<Account, 'id' | 'passwordChangedAt'>): string {
    const stamp = this.stamps(account)[0] ?? '';
    const said = `${account.id}.${this.seconds() + LIFE_SECONDS}.${stamp}.${newSecret()}`;
    return `${this.name}=${said}.${this.macs(said)[0] ?? ''}; Max-Age=${LIFE_SECONDS}; ${this.attributes}`;
  }

  /** `null`: the value is not one of this service, or it is over. */
  read(value: string | null | undefined): Device | null {
    const [, said = '', mac = ''] = DEVICE.exec(value ?? '') ?? [];
    if (!this.macs(said).some((one) => isSame(mac, one))) return null;
    const [userId, end, stamp, id] = said.split('.') as [string, string, string, string];
    return Number(end) > this.seconds() ? { userId: Number(userId), stamp, id } : null;
  }

  /** True if the user has signed in there since the password was last set or taken away. */
  isOf({ userId, stamp }: Device, account: Pick<Account, 'id' | 'passwordChangedAt'>): boolean {
    return userId === account.id && this.stamps(account).some((one) => isSame(stamp, one));
  }

  /** Not of the hash: the same password gets another one when its cost is raised. */
  private stamps({ passwordChangedAt }: Pick<Account, 'passwordChangedAt'>): readonly string[] {
    return this.macs(`stamp\n${passwordChangedAt ?? ''}`);
  }

  private macs(said: string): readonly string[] {
    return this.keys.map((key) => createHmac('sha256', key).update(said).digest('base64url'));
  }

  private seconds(): number {
    return Math.floor(this.clock.now() / 1_000);
  }
}

/** A device or session in which a user has signed in before. */
export interface KnownClient {
  readonly id: string;
  /** A new password begins with new counters. */
  readonly passwordHash: string | null;
}

/**
 * Recognises clients that a user has signed in with: failures of others do not lock the user out there.
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
   * The device of a request; `null`: it is not one of the user with that address. A device of another user draws from the
   * budgets of its address too.
   *
   * @param budget of the route, beside `auth`
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
