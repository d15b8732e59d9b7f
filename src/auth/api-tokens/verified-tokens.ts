import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull } from 'typeorm';
import type { Caller } from '../../common/access/caller.js';
import { Clock } from '../../common/clock.js';
import type { ReadRepository } from '../../database/read-repository.js';
import { ApiToken } from './api-token.entity.js';
import { LastUse } from './last-use.js';

/** How long another process may not notice that a token was revoked. */
const TRUST_MS = 5_000;
const MAX_TOKENS = 10_000;

interface Verified {
  readonly caller: Caller & { readonly id: number };
  readonly checkedAt: number;
  /** Infinity: never. */
  readonly expiresAt: number;
}

/** Knows the callers behind API tokens, and asks the database about each of them once in a few seconds. */
@Injectable()
export class VerifiedTokens {
  private readonly verified = new Map<string, Verified>();
  /** Many requests with one token that arrive together make one look-up. */
  private readonly searches = new Map<string, Promise<Verified | null>>();

  constructor(
    @InjectRepository(ApiToken) private readonly tokens: ReadRepository<ApiToken>,
    private readonly clock: Clock,
    private readonly lastUse: LastUse,
  ) {}

  /** The caller with the token of that hash; `null` where there is none, or not any more. */
  async callerOf(hash: string): Promise<Caller | null> {
    const now = this.clock.now();
    const found = this.trusted(hash, now) ?? (await this.search(hash));
    if (!found || found.expiresAt <= now) return null;
    this.lastUse.note(found.caller.id, now);
    return found.caller;
  }

  /** Has the next request ask the database: the token was revoked or changed. */
  forget(hash: string): void {
    this.verified.delete(hash);
    // What a search in flight has read may be older than the change.
    this.searches.delete(hash);
  }

  private trusted(hash: string, now: number): Verified | undefined {
    const found = this.verified.get(hash);
    // A clock that was put back must not lengthen the trust.
    const age = found ? now - found.checkedAt : TRUST_MS;
    return age >= 0 && age < TRUST_MS ? found : undefined;
  }

  private search(hash: string): Promise<Verified | null> {
    const running = this.searches.get(hash);
    if (running) return running;
    const search: Promise<Verified | null> = this.find(hash)
      .then((found) => {
        if (found && this.searches.get(hash) === search) this.remember(hash, found);
        return found;
      })
      .finally(() => {
        if (this.searches.get(hash) === search) this.searches.delete(hash);
      });
    this.searches.set(hash, search);
    return search;
  }

  private async find(tokenHash: string): Promise<Verified | null> {
    const checkedAt = this.clock.now();
    const token = await this.tokens.findOneBy({ tokenHash, revokedAt: IsNull() });
    if (!token) return null;
    const { id, name, scopes, expiresAt } = token;
    return {
      caller: { kind: 'token', id, name, scopes: new Set(scopes.split(' ')) },
      checkedAt,
      expiresAt: expiresAt ?? Infinity,
    };
  }

  private remember(hash: string, found: Verified): void {
    this.verified.delete(hash);
    const [oldest] = this.verified.keys();
    if (this.verified.size >= MAX_TOKENS && oldest !== undefined) this.verified.delete(oldest);
    this.verified.set(hash, found);
  }
}
