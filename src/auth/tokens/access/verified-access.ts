import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../common/access/caller.js';
import { Clock } from '../../../common/clock.js';
import { Settings } from '../../../config/settings.js';
import { scopesOf } from '../../../users/roles/roles.js';
import {
  ACCESS_TOKEN_ALGORITHM,
  ACCESS_TOKEN_SECONDS,
  ACCESS_TOKEN_TYPE,
  type AccessClaims,
} from '../keys/key-ring.js';
import { SigningKeys } from '../keys/signing-keys.js';
import type { JwtStrategy } from './jwt.strategy.js';
import { LiveSessions } from './live-sessions.js';
import type { OpenedSession } from './session-ref.js';

/** What an access token says. */
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
 * Resolves the callers of access tokens. Checking a signature costs more than all the rest of a small request, so it is
 * done once for each token. Whether its key is still good, whether its session lives and what its user may do is asked
 * again and again.
 */
@Injectable()
export class VerifiedAccess {
  private readonly verified = new Map<string, AccessClaims>();
  private strategy: Promise<JwtStrategy> | undefined;

  constructor(
    private readonly keys: SigningKeys,
    private readonly sessions: LiveSessions,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** What a token says; `null`: it is not one of ours, or it is over. */
  async claimsOf(token: string): Promise<AccessClaims | null> {
    const kid = await kidOf(token);
    if (kid === null) return null;
    // Before Passport, which would take a database that fails for a token that is wrong.
    const key = (await this.keys.current()).accepted.get(kid);
    if (!key) return null;
    this.strategy ??= this.makeStrategy();
    return (await this.strategy).claimsOf({ token, kid, key });
  }

  /**
   * The user with that token; `null`: it is of no user, or not any more.
   *
   * @param hash of the token
   */
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
    if (!claims) return null;
    const [oldest] = this.verified.keys();
    if (this.verified.size >= MAX_TOKENS && oldest !== undefined) this.verified.delete(oldest);
    this.verified.set(hash, claims);
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
