import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
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
import { requirePause, requireRotatable } from './rows/token-rights.js';
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
   * another day, so that its users can change over. A token cannot make one by that which lives longer than itself; the
   * successor of one that has rotated itself is made with it, and ends with it where it is revoked. One that a token
   * of the configuration gets ends with that token.
   *
   * @throws {DomainError} `token_not_found`: also for one that has ended or was replaced before; `insufficient_scope`,
   *   `invalid_token`; `too_many_requests`: it rotates itself, and was made so less than an hour ago
   */
  async rotate(id: number, { actor: caller, scope, visitor, within = {} }: TokenAuthority): Promise<IssuedToken> {
    const token = newToken();
    const hold = (manager: EntityManager) => this.rows.holdRotation(manager, caller, id);
    const apiToken = await this.reauthorization.run({ caller, scope, hold }, async (manager, actor) => {
      const old = await this.rows.lock(manager, id);
      if (!old || !isWithin(old, within) || this.configured.parentOf(old) === 'removed') throw tokenNotFound(id);
      requireRotatable(actor, old);
      if (isSelf(actor, old)) requirePause(old, this.rows.bounds().now);
      const made = await this.rows.replace(manager, old, token, await this.successor(manager, old, actor));
      const by = { actor, visitor };
      await this.audit.add(manager, tokenEvent('token.rotated', old, by, { replaced_by: made.id, ...until(made) }));
      return made;
    });
    this.verified.forgetAll();
    return { apiToken, token };
  }

  private async successor(manager: EntityManager, old: ApiToken, caller: Caller): Promise<TokenDraft> {
    const { id, name, token, configured } = caller;
    const bounds = this.rows.bounds();
    const life = old.expiresAt === null ? null : bounds.now + old.expiresAt - old.createdAt;
    const limits = [latestExpiry(old.kind, bounds), await this.limitOfParent(manager, old), token?.expiresAt];
    return {
      ...{ name: old.name, scopes: old.scopes, kind: old.kind, ownerId: old.ownerId },
      parentId: isSelf(caller, old) ? old.id : old.parentId,
      configuredParent: id === null && configured !== undefined ? configured : old.configuredParent,
      familyId: old.familyId ?? old.id,
      expiresAt: limits.reduce<number | null>(earliest, life),
      createdBy: name,
      createdAt: bounds.now,
    };
  }

  private async limitOfParent(manager: EntityManager, { parentId, expiresAt }: ApiToken): Promise<number | null> {
    const parent = parentId === null ? null : await this.rows.lock(manager, parentId);
    // A parent that has rotated itself is over in a day, and what goes on in its place is not.
    return parent !== null && parent.replacedBy !== null ? expiresAt : (parent?.expiresAt ?? null);
  }
}

function isSelf({ kind, id }: Caller, token: ApiToken): boolean {
  return kind === 'token' && id === token.id;
}

function isWithin(token: ApiToken, { kind, ownerId }: TokenSet): boolean {
  return token.kind === (kind ?? token.kind) && token.ownerId === (ownerId ?? token.ownerId);
}
