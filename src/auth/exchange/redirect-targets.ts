import { Injectable } from '@nestjs/common';
import { invalidQuery } from '../../common/http/url-query.js';
import { publicAddress } from '../../config/public-address.js';
import { Settings } from '../../config/settings.js';

/** Addresses that a sign-in may lead back to: those of the settings, and the console. */
@Injectable()
export class RedirectTargets {
  private readonly allowed: ReadonlySet<string>;

  constructor(settings: Settings) {
    this.allowed = new Set([...settings.providers.redirectAllowList, publicAddress(settings, '/admin/login')]);
  }

  /** Character by character, since every cleverer comparison of addresses has been tricked. */
  isAllowed(target: string): boolean {
    return this.allowed.has(target);
  }

  /** @throws {DomainError} `invalid_query` */
  require(target: string): string {
    if (this.isAllowed(target)) return target;
    const message = 'redirect_to is none of the addresses that this service leads back to.';
    throw invalidQuery('redirect_to', 'allowed', message);
  }
}

/** The address with one more parameter, never a token. */
export function withParameter(target: string, name: 'code' | 'error', value: string): string {
  const url = new URL(target);
  url.searchParams.set(name, value);
  return url.href;
}
