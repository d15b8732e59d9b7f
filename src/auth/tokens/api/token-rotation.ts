import { Injectable } from '@nestjs/common';
import { Audit } from '../../../audit/audit.js';
import type { Caller } from '../../../common/access/caller.js';
import { Reauthorization } from '../../../database/units/reauthorization.js';
import { ConfiguredTokens } from './rows/configured-tokens.js';
import { VerifiedTokens } from './check/verified-tokens.js';
import type { IssuedToken } from './issued-token.js';
import type { ApiToken } from './rows/api-token.entity.js';
import { tokenNotFound } from './rows/api-token.errors.js';
import { tokenEvent, until } from './rows/token-events.js';
import { newToken } from './rows/token-format.js';
import { requireMaker, requireRotatable } from './rows/token-rights.js';
import { TokenRows, type TokenDraft } from './rows/token-rows.js';
import { earliest, latestExpiry } from './rows/token-grant.js';
import type { TokenAuthority, TokenSet } from './token-authority.js';

/** Replaces API tokens by new ones with the same rights. */
@Injectable()
export class TokenRotation {
  constructor(
    private readonly rows: TokenRows,
    private readonly reauthorization: Reauthorization,
    private readonly verified: VerifiedTokens,
    private readonly audit: Audit,
    private readonly configured: ConfiguredTokens,
  ) {}

  /**
   * Puts a new token with the same rights and the same length of life in the place of one. The old one works for
   * another day, so that its users can change over. One that a token of the configuration gets ends with that token.
   *
   * @throws {DomainError} `token_not_found`: also for one that has ended or was replaced before; `insufficient_scope`,
   *   `invalid_token`
   */
  async rotate(id: number, { actor: caller, scope, visitor, within = {} }: TokenAuthority): Promise<IssuedToken> {
    const token = newToken();
    const apiToken = await this.reauthorization.run({ caller, scope }, async (manager, actor) => {
      requireMaker(actor);
      const old = await this.rows.lock(manager, id);
      if (!old || !isWithin(old, within) || this.configured.parentOf(old) === 'removed') throw tokenNotFound(id);
      requireRotatable(actor, old);
      const made = await this.rows.replace(manager, old, token, this.successor(old, actor));
      const by = { actor, visitor };
      await this.audit.add(manager, tokenEvent('token.rotated', old, by, { replaced_by: made.id, ...until(made) }));
      return made;
    });
    this.verified.forgetAll();
    return { apiToken, token };
  }

  private successor(old: ApiToken, { name, configured }: Caller): TokenDraft {
    const bounds = this.rows.bounds();
    const life = old.expiresAt === null ? null : bounds.now + old.expiresAt - old.createdAt;
    return {
      ...{ name: old.name, scopes: old.scopes, kind: old.kind, ownerId: old.ownerId },
      configuredParent: configured ?? old.configuredParent,
      expiresAt: earliest(life, latestExpiry(old.kind, bounds)),
      createdBy: name,
      createdAt: bounds.now,
    };
  }
}

function isWithin(token: ApiToken, { kind, ownerId }: TokenSet): boolean {
  return token.kind === (kind ?? token.kind) && token.ownerId === (ownerId ?? token.ownerId);
}
