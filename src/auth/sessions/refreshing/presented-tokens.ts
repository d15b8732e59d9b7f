import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '../../../common/errors/domain-error.js';
import { bearerOf } from '../../secrets/secrets.js';
import type { SessionRef } from '../../tokens/access/session-ref.js';
import { VerifiedAccess } from '../../tokens/access/verified-access.js';
import { RefreshTokens, type RefreshClaim, RefreshCookie } from '../../tokens/refresh/refresh-tokens.js';
import type { TokenMode } from '../answers/token-mode.dto.js';
import { SessionsService } from '../lifecycle/sessions.service.js';
import { invalidRefreshToken } from './refresh.service.js';
import { SameOrigin } from './same-origin.js';

/** The refresh token of a request. */
export interface PresentedToken {
  readonly claim: RefreshClaim;
  /** Where it was, and where its successor belongs. */
  readonly mode: TokenMode;
}

/** Finds the refresh token of a request: in its body or, by the rules against forged requests, in its cookie. Finds sessions by it. */
@Injectable()
export class PresentedTokens {
  constructor(
    private readonly tokens: RefreshTokens,
    private readonly cookie: RefreshCookie,
    private readonly sameOrigin: SameOrigin,
    private readonly access: VerifiedAccess,
    private readonly sessions: SessionsService,
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

  /**
   * The session that a logout names by either of its tokens, also one that has already ended. The refresh token counts
   * where the access token is over: clients add the header by themselves.
   *
   * @throws {DomainError} `unauthorized`, `invalid_token`, `invalid_refresh_token`, `csrf_rejected`
   */
  async sessionOf(refreshToken: string | undefined, headers: IncomingHttpHeaders): Promise<SessionRef> {
    const { authorization } = headers;
    const named = authorization === undefined ? null : await this.byAccessToken(authorization);
    if (named) return named;
    const shown = this.find(refreshToken, headers);
    if (!shown && authorization !== undefined) {
      throw new DomainError('invalid_token', 'The token is not valid or has expired.');
    }
    if (!shown) throw new DomainError('unauthorized', 'Send the access token or the refresh token of the session.');
    const session = await this.sessions.find(shown.claim.sessionId);
    if (!session) throw invalidRefreshToken();
    return { userId: session.userId, sessionId: session.id };
  }

  private async byAccessToken(header: string): Promise<SessionRef | null> {
    const token = bearerOf(header);
    return token === undefined ? null : this.access.claimsOf(token);
  }

  /** The id of the session that a browser shows by its cookie; `null`: none goes on, or it comes from no page of our own. */
  async ofOwnPage(headers: IncomingHttpHeaders): Promise<string | null> {
    const token = this.sameOrigin.isOwnPage(headers) ? this.cookie.read(headers.cookie) : null;
    const claim = token === null ? null : this.tokens.read(token);
    const session = claim && (await this.sessions.findLiving(claim.sessionId));
    return session?.id ?? null;
  }

  private read(token: string): RefreshClaim {
    const claim = this.tokens.read(token);
    if (!claim) throw invalidRefreshToken();
    return claim;
  }
}
