import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { RefreshTokens, RefreshCookie } from '../../tokens/refresh/refresh-tokens.js';
import { SameOrigin } from './same-origin.js';
import { SessionsService } from '../lifecycle/sessions.service.js';

/** Finds the session of a browser by the cookie that it sends by itself. */
@Injectable()
export class CookieSessions {
  constructor(
    private readonly sameOrigin: SameOrigin,
    private readonly cookie: RefreshCookie,
    private readonly tokens: RefreshTokens,
    private readonly sessions: SessionsService,
  ) {}

  /** The id of the session; `null`: none goes on, or the browser does not come from a page of our own. */
  async find(headers: IncomingHttpHeaders): Promise<string | null> {
    const token = this.sameOrigin.isOwnPage(headers) ? this.cookie.read(headers.cookie) : null;
    const claim = token === null ? null : this.tokens.read(token);
    const session = claim && (await this.sessions.findLiving(claim.sessionId));
    return session?.id ?? null;
  }
}
