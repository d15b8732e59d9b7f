import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '../../../common/errors/domain-error.js';
import { Settings } from '../../../config/settings.js';

/** Distinguishes our own pages from those of others, where a browser sends a cookie along by itself. */
@Injectable()
export class SameOrigin {
  private readonly own: string;
  private readonly trusted: ReadonlySet<string>;

  constructor({ publicUrl, corsOrigins }: Settings) {
    this.own = publicUrl;
    this.trusted = new Set([publicUrl, ...corsOrigins]);
  }

  /** @throws {DomainError} `csrf_rejected`: the request was made by a page of another origin */
  require({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders): void {
    const isOurs = origin === undefined ? site === undefined || site === 'same-origin' : this.trusted.has(origin);
    if (isOurs) return;
    throw new DomainError('csrf_rejected', 'This page may not use the cookie. Add its origin to CORS_ORIGINS.');
  }

  /**
   * Whether a page of the service itself, or one beside it on its origin, sends the browser here. What does not say where
   * it comes from does not.
   */
  isOwnPage(headers: IncomingHttpHeaders): boolean {
    const { 'sec-fetch-site': site } = headers;
    return site === undefined ? pageOriginOf(headers) === this.own : site === 'same-origin';
  }

  /** The same, or a page of `CORS_ORIGINS` in a browser without `Sec-Fetch-Site`: a gateway may show our pages there. */
  isTrustedPage(headers: IncomingHttpHeaders): boolean {
    const origin = headers['sec-fetch-site'] === undefined ? pageOriginOf(headers) : null;
    return origin === null ? this.isOwnPage(headers) : this.trusted.has(origin);
  }
}

/**
 * The origin of the page that sends a browser: forms name it, and links where the page does not forbid it. Browsers without
 * `Sec-Fetch-Site` (Safari before 16.4, embedded views) let no page forge either header. `null`: it is hidden.
 */
function pageOriginOf({ origin, referer }: IncomingHttpHeaders): string | null {
  if (origin !== undefined) return origin;
  return referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : null;
}
