import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../../common/access/caller.js';
import { Clock } from '../../../../common/clock.js';
import { Reads } from '../../../../database/statements/reads.js';
import { CredentialCache } from '../../../../common/concurrency/credential-cache.js';
import { ConfiguredTokens } from '../rows/configured-tokens.js';
import { LastUse } from './last-use.js';
import { callerWith, SELECT_TOKENS, type TokenRow } from './token-caller.js';

type Verified = NonNullable<ReturnType<typeof callerWith>>;

/** Resolves the callers of API tokens, cached for a few seconds each. */
@Injectable()
export class VerifiedTokens {
  private readonly verified: CredentialCache<Verified>;

  constructor(
    private readonly reads: Reads,
    private readonly clock: Clock,
    private readonly lastUse: LastUse,
    private readonly configured: ConfiguredTokens,
  ) {
    this.verified = new CredentialCache(clock, (hash) => this.find(hash));
  }

  /**
   * The caller with the token of that hash; `null` where there is none, or not any more.
   *
   * @param beforeSearch awaited before the database is asked for a hash that it was never asked for with success; may throw
   */
  async callerOf(hash: string, beforeSearch?: () => Promise<void>): Promise<Caller | null> {
    if (!this.verified.has(hash)) await beforeSearch?.();
    const found = this.verified.known(hash) ?? (await this.verified.get(hash));
    const now = this.clock.now();
    if (!found || (found.token.expiresAt ?? Infinity) <= now) return null;
    this.lastUse.note(found.id, now);
    return found;
  }

  /** Has the next requests ask the database: tokens were ended or changed, or something happened to a user. That is rare. */
  forgetAll(): void {
    this.verified.forgetAll();
  }

  private async find(tokenHash: string): Promise<Verified | null> {
    const [row] = await this.reads.select<TokenRow>(`${SELECT_TOKENS} t.token_hash = ?`, [tokenHash]);
    return row ? callerWith(row, this.configured) : null;
  }
}
