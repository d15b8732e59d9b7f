import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../common/access/caller.js';
import { Clock } from '../../../common/clock.js';
import { SigningKeys } from '../keys/signing-keys.js';
import { LiveSessions } from './live-sessions.js';
import type { AccessClaims } from '../../secrets/access-token.js';
import { AccessTokenStrategy } from './access-token-strategy.js';

const MAX_TOKENS = 10_000;

/**
 * Resolves the callers of access tokens. Checking a signature costs more than all the rest of a small request, so it is
 * done once for each token. Whether its key is still good, whether its session lives and what its user may do is asked
 * again and again.
 */
@Injectable()
export class VerifiedAccess {
  private readonly verified = new Map<string, AccessClaims>();

  constructor(
    private readonly strategy: AccessTokenStrategy,
    private readonly keys: SigningKeys,
    private readonly sessions: LiveSessions,
    private readonly clock: Clock,
  ) {}

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
    const claims = await this.strategy.claimsOf(token);
    if (!claims) return null;
    const [oldest] = this.verified.keys();
    if (this.verified.size >= MAX_TOKENS && oldest !== undefined) this.verified.delete(oldest);
    this.verified.set(hash, claims);
    return claims;
  }
}
