import { Injectable } from '@nestjs/common';
import { invalidQuery } from '../../common/http/url-query.js';
import { publicAddress } from '../../config/public-address.js';
import { Settings } from '../../config/settings.js';

/** Addresses that a sign-in may lead back to. */
@Injectable()
export class RedirectTargets {
  private readonly allowed: ReadonlySet<string>;

  /** The console of the service is always one of them. */
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
    throw invalidQuery(
      'redirect_to',
      'allowed',
      'redirect_to is none of the addresses that this service leads back to.',
    );
  }
}

/** The address with one more parameter: a one-time code or the name of an error, never a token. */
export function withParameter(target: string, name: 'code' | 'error', value: string): string {
  const url = new URL(target);
  url.searchParams.set(name, value);
  return url.href;
}
