import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull } from 'typeorm';
import type { Caller } from '../../common/access/caller.js';
import { Clock } from '../../common/clock.js';
import type { ReadRepository } from '../../database/read-repository.js';
import { Trusted } from '../trusted.js';
import { ApiToken } from './api-token.entity.js';
import { LastUse } from './last-use.js';

interface Verified {
  readonly caller: Caller & { readonly id: number };
  /** Infinity: never. */
  readonly expiresAt: number;
}

/** Knows the callers behind API tokens, and asks the database about each of them once in a few seconds. */
@Injectable()
export class VerifiedTokens {
  private readonly verified: Trusted<Verified>;

  constructor(
    @InjectRepository(ApiToken) private readonly tokens: ReadRepository<ApiToken>,
    private readonly clock: Clock,
    private readonly lastUse: LastUse,
  ) {
    this.verified = new Trusted(clock, (hash) => this.find(hash));
  }

  /** The caller with the token of that hash; `null` where there is none, or not any more. */
  async callerOf(hash: string): Promise<Caller | null> {
    const found = this.verified.known(hash) ?? (await this.verified.get(hash));
    const now = this.clock.now();
    if (!found || found.expiresAt <= now) return null;
    this.lastUse.note(found.caller.id, now);
    return found.caller;
  }

  /** Has the next request ask the database: the token was revoked or changed. */
  forget(hash: string): void {
    this.verified.forget(hash);
  }

  /** The same for all of them: somebody lost tokens, and nobody knows here which. */
  forgetAll(): void {
    this.verified.forgetAll();
  }

  private async find(tokenHash: string): Promise<Verified | null> {
    const token = await this.tokens.findOneBy({ tokenHash, revokedAt: IsNull() });
    if (!token) return null;
    const { id, name, scopes, expiresAt } = token;
    return {
      caller: { kind: 'token', id, name, scopes: new Set(scopes.split(' ')) },
      expiresAt: expiresAt ?? Infinity,
    };
  }
}
