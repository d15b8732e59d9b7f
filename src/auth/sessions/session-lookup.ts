import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '../../common/errors/domain-error.js';
import { VerifiedAccess } from '../tokens/access/verified-access.js';
import { bearerOf } from '../secrets/secrets.js';
import type { SessionRef } from '../tokens/access/session-ref.js';
import { invalidRefreshToken } from './refreshing/refreshing.js';
import { SessionsService } from './lifecycle/sessions.service.js';
import { PresentedTokens } from './refreshing/presented-tokens.js';

/** Finds the session that a logout names by either of its tokens, also one that has already ended. */
@Injectable()
export class SessionLookup {
  constructor(
    private readonly shown: PresentedTokens,
    private readonly access: VerifiedAccess,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * The refresh token counts where the access token is over: clients add the header by themselves.
   *
   * @throws {DomainError} `unauthorized`, `invalid_token`, `invalid_refresh_token`, `csrf_rejected`
   */
  async find(refreshToken: string | undefined, headers: IncomingHttpHeaders): Promise<SessionRef> {
    const { authorization } = headers;
    const named = authorization === undefined ? null : await this.byAccessToken(authorization);
    if (named) return named;
    const shown = this.shown.find(refreshToken, headers);
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
}
