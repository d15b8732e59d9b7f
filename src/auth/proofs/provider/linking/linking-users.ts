import { createParamDecorator, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { IsNull, type EntityManager } from 'typeorm';
import { DomainError } from '../../../../common/errors/domain-error.js';
import type { ServiceRequest } from '../../../../common/http/request-context.js';
import { hashOf, bearerOf } from '../../../secrets/secrets.js';
import { SignInFreshness } from '../../../sessions/lifecycle/sign-in-freshness.js';
import { PresentedTokens } from '../../../sessions/refreshing/presented-tokens.js';
import { Session } from '../../../tokens/access/session.entity.js';
import { VerifiedAccess } from '../../../tokens/access/verified-access.js';
import type { PresentedSession } from '../identity/identity-provider.js';

export interface LinkingUser {
  readonly session: PresentedSession;
  readonly userId: number;
  /** Time of the access token or, if that is earlier, of the session: milliseconds since 1970, UTC. */
  readonly authTime: number;
}

/** Finds the signed-in user whose account gets another identity. */
@Injectable()
export class LinkingUsers {
  constructor(
    private readonly access: VerifiedAccess,
    private readonly shown: PresentedTokens,
    private readonly freshness: SignInFreshness,
  ) {}

  /** The session of an access token; `null`: the request shows no token. @throws {DomainError} `invalid_token` */
  async ofToken({ authorization }: IncomingHttpHeaders): Promise<PresentedSession | null> {
    if (authorization === undefined) return null;
    const token = bearerOf(authorization) ?? '';
    const caller = await this.access.callerOf(token, hashOf(token));
    if (caller?.sessionId !== undefined) return { id: caller.sessionId, authTime: caller.authTime ?? 0 };
    throw new DomainError('invalid_token', 'The token is not of a user who is signed in. Leave it out to sign in.');
  }

  /** The session of the refresh cookie, which counts only if a link was asked for; `null`: none, or not from our own page. */
  async ofCookie(headers: IncomingHttpHeaders): Promise<PresentedSession | null> {
    const id = await this.shown.ofOwnPage(headers);
    return id === null ? null : { id, authTime: null };
  }

  /** The user of a session that has not been ended since. @throws {DomainError} `invalid_token` */
  async find(manager: EntityManager, session: PresentedSession): Promise<LinkingUser> {
    const found = await manager.findOneBy(Session, { id: session.id, revokedAt: IsNull() });
    if (!found) throw sessionOver();
    return { session, userId: found.userId, authTime: Math.min(found.authTime, session.authTime ?? Infinity) };
  }

  /** A session that was left open would otherwise hand the account on. @throws {DomainError} `insufficient_user_authentication` */
  requireFresh({ authTime }: LinkingUser): void {
    this.freshness.requireSince(authTime);
  }
}

/** The refusal of a link to a session that was ended meanwhile. */
export function sessionOver(): DomainError {
  return new DomainError('invalid_token', 'The session is over. Sign in again, then link the provider.');
}

interface LinkingRequest extends ServiceRequest {
  session?: PresentedSession | null;
}

/** Finds the session of an app that links an identity. */
@Injectable()
export class LinkGuard implements CanActivate {
  constructor(private readonly links: LinkingUsers) {}

  /** @throws {DomainError} `invalid_token` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<LinkingRequest>();
    request.session = await this.links.ofToken(request.headers);
    return true;
  }
}

export const LinkingSession = createParamDecorator(
  (_: unknown, context: ExecutionContext): PresentedSession | null =>
    context.switchToHttp().getRequest<LinkingRequest>().session ?? null,
);
