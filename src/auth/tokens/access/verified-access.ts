import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';
import { IsNull, MoreThan, type FindOptionsWhere } from 'typeorm';
import type { Caller } from '../../../common/access/caller.js';
import { Clock } from '../../../common/clock.js';
import { CredentialCache } from '../../../common/concurrency/credential-cache.js';
import { Settings } from '../../../config/settings.js';
import { Reads } from '../../../database/statements/reads.js';
import { scopesOf, type Role } from '../../../users/roles/roles.js';
import { USER, USER_IS_ENABLED, usersBy } from '../../../users/rows/user-rows.js';
import {
  ACCESS_TOKEN_ALGORITHM,
  ACCESS_TOKEN_SECONDS,
  ACCESS_TOKEN_TYPE,
  type AccessClaims,
  SigningKeys,
} from '../keys/signing-keys.js';
import type { JwtStrategy } from './jwt.strategy.js';
import type { OpenedSession } from './session-ref.js';
import type { Session } from './session.entity.js';

/** Distinguishes sessions that go on from those that were ended or are over. */
@Injectable()
export class SessionTimes {
  constructor(
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  now(): number {
    return this.clock.now();
  }

  living(): FindOptionsWhere<Session> {
    const now = this.now();
    return { revokedAt: IsNull(), expiresAt: MoreThan(now), refreshedAt: MoreThan(now - this.idleMs) };
  }

  /** The end of a session unless it is refreshed before: after so long without, and after its whole life in any case. */
  endOf({ refreshedAt, expiresAt }: Pick<Session, 'refreshedAt' | 'expiresAt'>): number {
    return Math.min(refreshedAt + this.idleMs, expiresAt);
  }

  private get idleMs(): number {
    return this.settings.signIn.idleSeconds * 1_000;
  }
}

interface Live {
  readonly caller: Caller & { readonly id: number };
  /** Time at which the session ends by itself, milliseconds since 1970, UTC. */
  readonly endsAt: number;
}

interface Row {
  readonly user_id: number | string;
  readonly name: string;
  readonly role: Role;
  readonly refreshed_at: number | string;
  readonly expires_at: number | string;
}

/** The living sessions with their users and scopes, cached for a few seconds each. */
@Injectable()
export class LiveSessions {
  private readonly live: CredentialCache<Live>;

  constructor(
    private readonly reads: Reads,
    private readonly times: SessionTimes,
    clock: Clock,
  ) {
    this.live = new CredentialCache(clock, (sessionId) => this.find(sessionId));
  }

  /** The user of a session with the scopes of their present role; `null`: the session or the user is out. */
  async callerOf(sessionId: string): Promise<Caller | null> {
    const found = this.live.known(sessionId) ?? (await this.live.get(sessionId));
    return found && found.endsAt > this.times.now() ? found.caller : null;
  }

  forget(sessionId: string): void {
    this.live.forget(sessionId);
  }

  /** To be called when something happened to a user. That is rare. */
  forgetAll(): void {
    this.live.forgetAll();
  }

  private async find(sessionId: string): Promise<Live | null> {
    const [row] = await this.reads.select<Row>(
      `SELECT s.user_id, s.refreshed_at, s.expires_at, ${USER.name}, ${USER.role} FROM auth_sessions s ` +
        `JOIN ${usersBy('s.user_id')} WHERE s.id = ? AND s.revoked_at IS NULL AND ${USER_IS_ENABLED}`,
      [sessionId],
    );
    if (!row) return null;
    return {
      caller: {
        kind: 'user',
        id: Number(row.user_id),
        name: row.name,
        scopes: new Set(scopesOf(row.role)),
        sessionId,
      },
      endsAt: this.times.endOf({ refreshedAt: Number(row.refreshed_at), expiresAt: Number(row.expires_at) }),
    };
  }
}

export type AccessTokenContent = Pick<OpenedSession, 'sessionId' | 'account' | 'amr' | 'authTime'>;

/** Makes access tokens: JWTs that any service can check with our published keys. */
@Injectable()
export class AccessTokens {
  constructor(
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** A token for the next 15 minutes of a session. @see RFC 9068 */
  async issue({ sessionId, account, amr, authTime }: AccessTokenContent): Promise<string> {
    const { kid, privateKey } = await this.keys.signing();
    const { issuer, audience } = this.settings.signIn;
    const issuedAt = Math.floor(this.clock.now() / 1_000);
    const claims = {
      iss: issuer,
      aud: audience,
      sub: String(account.id),
      sid: sessionId,
      jti: randomUUID(),
      iat: issuedAt,
      exp: issuedAt + ACCESS_TOKEN_SECONDS,
      ...(authTime === 0 ? {} : { auth_time: Math.floor(authTime / 1_000) }),
      amr,
      scope: scopesOf(account.role).join(' '),
    };
    // Loaded with the first sign-in: most services start without one.
    const { SignJWT } = await import('jose');
    return new SignJWT(claims)
      .setProtectedHeader({ alg: ACCESS_TOKEN_ALGORITHM, kid, typ: ACCESS_TOKEN_TYPE })
      .sign(privateKey);
  }
}

const MAX_TOKENS = 10_000;

/**
 * Resolves the callers of access tokens. A signature is checked once for each token. Whether its key is good, whether its
 * session lives and what its user may do is asked again and again.
 */
@Injectable()
export class VerifiedAccess {
  private readonly verified = new LRUCache<string, AccessClaims>({ max: MAX_TOKENS });
  private strategy: Promise<JwtStrategy> | undefined;

  constructor(
    private readonly keys: SigningKeys,
    private readonly sessions: LiveSessions,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** The claims of a token; `null`: it is not one of ours, or it is over. */
  async claimsOf(token: string): Promise<AccessClaims | null> {
    const kid = await kidOf(token);
    if (kid === null) return null;
    // Before Passport, which would take a database that fails for a token that is wrong.
    const key = (await this.keys.current()).accepted.get(kid);
    if (!key) return null;
    this.strategy ??= this.makeStrategy();
    return (await this.strategy).claimsOf({ token, kid, key });
  }

  /** The user with that token; `null`: it is of no user, or not any more. @param hash of the token */
  async callerOf(token: string, hash: string): Promise<Caller | null> {
    const claims = this.verified.get(hash) ?? (await this.verify(token, hash));
    if (!claims || claims.expiresAt <= this.clock.now()) return null;
    const { accepted } = await this.keys.current();
    if (!accepted.has(claims.kid)) return null;
    const caller = await this.sessions.callerOf(claims.sessionId);
    // As the token says: one from before a step-up is as old as it was.
    return caller?.id === claims.userId ? { ...caller, authTime: claims.authTime } : null;
  }

  private async verify(token: string, hash: string): Promise<AccessClaims | null> {
    const claims = await this.claimsOf(token);
    if (claims) this.verified.set(hash, claims);
    return claims;
  }

  /** passport-jwt is loaded with the first access token: most services start without one. */
  private async makeStrategy(): Promise<JwtStrategy> {
    const { JwtStrategy } = await import('./jwt.strategy.js');
    return new JwtStrategy(this.clock, this.settings);
  }
}

/** The name of the key in the header of a token; `null`: the header is not one that we write. */
async function kidOf(token: string): Promise<string | null> {
  const { decodeProtectedHeader } = await import('jose');
  try {
    const { typ, kid, crit } = decodeProtectedHeader(token);
    return typ === ACCESS_TOKEN_TYPE && crit === undefined && typeof kid === 'string' ? kid : null;
  } catch {
    return null;
  }
}
