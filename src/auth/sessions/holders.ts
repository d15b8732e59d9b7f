import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '../../common/errors/domain-error.js';
import { AccessTokenStrategy } from '../access-tokens/access-token-strategy.js';
import { bearerOf } from '../guards/bearer.js';
import type { Holder } from './holder.js';
import { invalidRefreshToken } from './refreshing.js';
import { SessionsService } from './sessions.service.js';
import { ShownTokens } from './shown-token.js';

/** Finds out whose session a request to leave is about, by either of its tokens, also when it has ended before. */
@Injectable()
export class Holders {
  constructor(
    private readonly shown: ShownTokens,
    private readonly access: AccessTokenStrategy,
    private readonly sessions: SessionsService,
  ) {}

  /** @throws {DomainError} `unauthorized`, `invalid_token`, `invalid_refresh_token`, `csrf_rejected` */
  async find(refreshToken: string | undefined, headers: IncomingHttpHeaders): Promise<Holder> {
    if (headers.authorization !== undefined) return this.byAccessToken(headers.authorization);
    const shown = this.shown.find(refreshToken, headers);
    if (!shown) throw new DomainError('unauthorized', 'Send the access token or the refresh token of the session.');
    const session = await this.sessions.find(shown.claim.sessionId);
    if (!session) throw invalidRefreshToken();
    return { userId: session.userId, sessionId: session.id };
  }

  private async byAccessToken(header: string): Promise<Holder> {
    const token = bearerOf(header);
    const holder = token === undefined ? null : await this.access.claimsOf(token);
    if (!holder) throw new DomainError('invalid_token', 'The token is not valid or has expired.');
    return holder;
  }
}
