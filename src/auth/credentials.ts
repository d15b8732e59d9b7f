import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/access/caller.js';
import { Settings } from '../config/settings.js';
import { isTokenShaped } from './api-tokens/token-format.js';
import { hashOf } from './secrets.js';
import { VerifiedAccess } from './access-tokens/verified-access.js';
import { VerifiedTokens } from './api-tokens/verified-tokens.js';

/** Three parts in base64url. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Finds out who stands behind a bearer token, whatever kind of token it is. */
@Injectable()
export class Credentials {
  /** Callers of the tokens in the settings, by the hash of their secret. */
  private readonly configured: ReadonlyMap<string, Caller>;

  constructor(
    { apiTokens }: Settings,
    private readonly tokens: VerifiedTokens,
    private readonly access: VerifiedAccess,
  ) {
    this.configured = new Map(
      apiTokens.map(({ name, sha256, scopes }) => [sha256, { kind: 'token', id: null, name, scopes: new Set(scopes) }]),
    );
  }

  /** `null`: a token that is nobody's. One of no known shape is refused without asking the database. */
  async callerOf(token: string): Promise<Caller | null> {
    const hash = hashOf(token);
    const caller = this.configured.get(hash);
    if (caller) return caller;
    if (isTokenShaped(token)) return this.tokens.callerOf(hash);
    return JWT.test(token) ? this.access.callerOf(token, hash) : null;
  }
}
