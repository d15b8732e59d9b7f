import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { invalidRefreshToken } from './refreshing.js';
import { RefreshTokens, type RefreshClaim, RefreshCookie } from '../../tokens/refresh/refresh-tokens.js';
import { SameOrigin } from './same-origin.js';
import type { TokenMode } from '../answers/token-mode.dto.js';

/** The refresh token of a request. */
export interface PresentedToken {
  readonly claim: RefreshClaim;
  /** Where it was, and where its successor belongs. */
  readonly mode: TokenMode;
}

/** Finds the refresh token of a request: in its body or, by the rules against forged requests, in its cookie. */
@Injectable()
export class PresentedTokens {
  constructor(
    private readonly tokens: RefreshTokens,
    private readonly cookie: RefreshCookie,
    private readonly sameOrigin: SameOrigin,
  ) {}

  /**
   * `null`: there is none.
   *
   * @param inBody what the body has in its place
   * @throws {DomainError} `invalid_refresh_token`: none of ours; `csrf_rejected`
   */
  find(inBody: string | undefined, headers: IncomingHttpHeaders): PresentedToken | null {
    if (inBody !== undefined) return { claim: this.read(inBody), mode: 'token' };
    const inCookie = this.cookie.read(headers.cookie);
    if (inCookie === null) return null;
    this.sameOrigin.require(headers);
    return { claim: this.read(inCookie), mode: 'cookie' };
  }

  /** @throws {DomainError} `invalid_refresh_token`, `csrf_rejected` */
  require(inBody: string | undefined, headers: IncomingHttpHeaders): PresentedToken {
    const shown = this.find(inBody, headers);
    if (!shown) throw invalidRefreshToken();
    return shown;
  }

  private read(token: string): RefreshClaim {
    const claim = this.tokens.read(token);
    if (!claim) throw invalidRefreshToken();
    return claim;
  }
}
