import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { select } from '../../database/statement.js';
import { VerifiedAccess } from '../access-tokens/verified-access.js';
import { hashOf } from '../secrets.js';
import { bearerOf } from '../guards/bearer.js';
import { RefreshCookie } from '../sessions/refresh-cookie.js';
import { RefreshTokens } from '../sessions/refresh-tokens.js';

/** Somebody who left a browser open would otherwise hand their account on. */
const FRESH_MS = 600_000;

/** Who is signed in already and wants another way in. */
@Injectable()
export class LinkWishes {
  constructor(
    private readonly access: VerifiedAccess,
    private readonly cookie: RefreshCookie,
    private readonly tokens: RefreshTokens,
    private readonly clock: Clock,
  ) {}

  /**
   * The session of a request; `null`: nobody is signed in. A page that sends its browser away cannot set a header, so
   * there the cookie counts, which no other site can have sent.
   *
   * @throws {DomainError} `invalid_token`
   */
  async sessionOf({ authorization, cookie, 'sec-fetch-site': site }: IncomingHttpHeaders): Promise<string | null> {
    if (authorization !== undefined) return this.ofToken(authorization);
    const token = site === 'same-origin' ? this.cookie.read(cookie) : null;
    return token === null ? null : (this.tokens.read(token)?.sessionId ?? null);
  }

  /** The user of a session that was begun in the last ten minutes and goes on. */
  async userOf(manager: EntityManager, session: string | null): Promise<number | null> {
    if (session === null) return null;
    const [row] = await select<{ user_id: number | string }>(
      manager,
      'SELECT user_id FROM auth_sessions WHERE id = ? AND revoked_at IS NULL AND created_at > ?',
      [session, this.clock.now() - FRESH_MS],
    );
    return row ? Number(row.user_id) : null;
  }

  private async ofToken(header: string): Promise<string> {
    const token = bearerOf(header) ?? '';
    const caller = await this.access.callerOf(token, hashOf(token));
    if (caller?.sessionId !== undefined) return caller.sessionId;
    throw new DomainError('invalid_token', 'The token is not of a user who is signed in. Leave it out to sign in.');
  }
}
