import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../audit/audit.js';
import type { Visitor } from '../../../common/access/visitor.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import { Settings } from '../../../config/settings.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import type { Account } from '../../../users/rows/account.js';
import { Accounts } from '../../../users/rows/accounts.js';
import { bearerOf } from '../../secrets/secrets.js';
import type { SessionRef, OpenedSession } from '../../tokens/access/session-ref.js';
import { Session } from '../../tokens/access/session.entity.js';
import { SessionTimes, VerifiedAccess } from '../../tokens/access/verified-access.js';
import { RefreshTokens, type RefreshClaim, RefreshCookie } from '../../tokens/refresh/refresh-tokens.js';
import type { TokenMode } from '../answers/sign-in-answers.js';
import { SessionRevocation, SessionsService } from '../lifecycle/sessions.service.js';

function invalidRefreshToken(): DomainError {
  return new DomainError('invalid_refresh_token', 'The refresh token is not valid or has expired. Sign in again.');
}

/** A session that goes on; `reused`: it is over, since the successor of its token was used before; `refused`: no session. */
type Refreshed = OpenedSession | 'reused' | 'refused';

/**
 * Prolongs sessions: each refresh token is good for one successor, which is given again until it is used. From then on the
 * token before it is in the hands of two, and the session ends.
 */
@Injectable()
export class RefreshService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly accounts: Accounts,
    private readonly revocation: SessionRevocation,
    private readonly times: SessionTimes,
    private readonly audit: Audit,
  ) {}

  /** One compare-and-set decides. @throws {DomainError} `invalid_refresh_token`, `refresh_token_reused` */
  async refresh(claim: RefreshClaim, visitor: Visitor): Promise<OpenedSession> {
    const refreshed = await this.unitOfWork.run((manager) => this.turn(manager, claim, visitor));
    const { sessionId } = claim;
    if (refreshed === 'refused') {
      this.audit.note({ event: 'refresh', outcome: 'failure', sessionId, reason: 'invalid_refresh_token', visitor });
      throw invalidRefreshToken();
    }
    if (refreshed !== 'reused') return refreshed;
    throw new DomainError(
      'refresh_token_reused',
      'This refresh token was used before, so another person may have it. The session is over: sign in again.',
    );
  }

  private async turn(
    manager: EntityManager,
    { sessionId, counter }: RefreshClaim,
    visitor: Visitor,
  ): Promise<Refreshed> {
    const isLiving = { ...this.times.living(), id: sessionId };
    const next = { counter: () => 'counter + 1', refreshedAt: this.times.now() };
    await manager.update(Session, { ...isLiving, counter }, next);
    const session = await manager.findOneBy(Session, isLiving);
    if (!session) return 'refused';
    const account = await this.accounts.find(manager, session.userId);
    if (account?.disabledAt !== null) return 'refused';
    // Turned just now, or before, by a second tab or a request whose answer was lost.
    if (session.counter === counter + 1) return this.opened(session, account);
    if (session.counter <= counter) return 'refused';
    await this.revocation.revokeReused(manager, account, sessionId, visitor);
    return 'reused';
  }

  private opened(session: Session, account: Account): OpenedSession {
    const { id, counter, amr, authTime } = session;
    return { sessionId: id, counter, account, amr: amr.split(' '), authTime, endsAt: this.times.endOf(session) };
  }
}

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

  /** True if a page on the origin of the service sends the browser here. */
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
 * The origin of the page that sends a browser; `null`: it is hidden. Browsers without `Sec-Fetch-Site` (Safari before 16.4,
 * embedded views) let no page forge either header.
 */
function pageOriginOf({ origin, referer }: IncomingHttpHeaders): string | null {
  if (origin !== undefined) return origin;
  return referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : null;
}

interface PresentedToken {
  readonly claim: RefreshClaim;
  readonly mode: TokenMode;
}

/** Finds the refresh token of a request in its body or, by the rules against forged requests, in its cookie. */
@Injectable()
export class PresentedTokens {
  constructor(
    private readonly tokens: RefreshTokens,
    private readonly cookie: RefreshCookie,
    private readonly sameOrigin: SameOrigin,
    private readonly access: VerifiedAccess,
    private readonly sessions: SessionsService,
  ) {}

  /** `null`: there is none. @throws {DomainError} `invalid_refresh_token`: none of ours; `csrf_rejected` */
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
   * The session that a logout names by either of its tokens, also one that has ended. The refresh token counts if the access
   * token is over: clients add the header by themselves.
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

  /** The session of the cookie; `null`: none goes on, or the browser comes from no page of our own. */
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
