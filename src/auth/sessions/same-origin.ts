import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '../../common/errors/domain-error.js';
import { Settings } from '../../config/settings.js';

/** Tells our own pages from those of others, where a browser sends a cookie along by itself. */
@Injectable()
export class SameOrigin {
  private readonly origins: ReadonlySet<string>;

  constructor({ publicUrl, corsOrigins }: Settings) {
    this.origins = new Set([publicUrl, ...corsOrigins]);
  }

  /** @throws {DomainError} `csrf_rejected`: the request was made by a page of somebody else */
  require({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders): void {
    const isOurs = origin === undefined ? site === undefined || site === 'same-origin' : this.origins.has(origin);
    if (isOurs) return;
    throw new DomainError('csrf_rejected', 'This page may not use the cookie. Add its origin to CORS_ORIGINS.');
  }
}
