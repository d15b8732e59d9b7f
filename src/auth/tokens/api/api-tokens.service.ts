import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../audit/audit.js';
import type { Caller, Scope } from '../../../common/access/caller.js';
import type { Initiator } from '../../../common/access/initiator.js';
import type { PageQuery } from '../../../common/page-query.js';
import type { ReadRepository } from '../../../database/statements/read-repository.js';
import { Reauthorization } from '../../../database/units/reauthorization.js';
import { ApiToken, type TokenKind } from './rows/api-token.entity.js';
import { tokenNotFound } from './rows/api-token.errors.js';
import { tokenEvent, until } from './rows/token-events.js';
import { newToken } from './rows/token-format.js';
import { requireEndable, requirePause, requireRotatable } from './rows/token-rights.js';
import { TokenRows, type TokenDraft } from './rows/token-rows.js';
import { earliest, latestExpiry, termsOf, type TokenOrder } from './rows/token-terms.js';
import { VerifiedTokens } from './check/verified-tokens.js';

/** A token right after it was made: the only moment at which its text is known. */
export interface IssuedToken {
  readonly apiToken: ApiToken;
  readonly token: string;
}

/** Some of all tokens. */
export interface TokenSet {
  readonly kind?: TokenKind;
  readonly ownerId?: number;
}

/** Who does something with tokens, and by what right. */
export interface TokenAuthority extends Initiator {
  /** What the actor needs; `null`: a living credential. */
  readonly scope: Scope | null;
  /** The tokens that are meant; others are not found. Left out: all. */
  readonly within?: TokenSet;
}

/** Makes, shows, replaces and ends API tokens. */
@Injectable()
export class ApiTokensService {
  constructor(
    @InjectRepository(ApiToken) private readonly tokens: ReadRepository<ApiToken>,
    private readonly rows: TokenRows,
    private readonly reauthorization: Reauthorization,
    private readonly verified: VerifiedTokens,
    private readonly audit: Audit,
  ) {}

  /** The newest first, with those that ended. */
  async list({ page, perPage }: PageQuery, which: TokenSet = {}): Promise<readonly [readonly ApiToken[], number]> {
    const slice = { skip: (page - 1) * perPage, take: perPage };
    return this.tokens.findAndCount({ where: which, order: { id: 'DESC' }, ...slice });
  }

  /** @throws {DomainError} `token_not_found` */
  async require(id: number, which: TokenSet = {}): Promise<ApiToken> {
    const token = await this.tokens.findOneBy({ ...which, id });
    if (!token) throw tokenNotFound(id);
    return token;
  }

  /**
   * @throws {DomainError} `insufficient_scope`: more than the caller holds; `too_many_tokens`, `invalid_token`
   * @throws {ValidationError} an expiry that is over or too far ahead, a kind that the caller cannot make
   */
  async create(order: TokenOrder, { actor: caller, scope, visitor }: TokenAuthority): Promise<IssuedToken> {
    const token = newToken();
    const hold = (manager: EntityManager) => this.rows.holdMaker(manager, caller);
    const apiToken = await this.reauthorization.run({ caller, scope, hold }, async (manager, maker) => {
      const bounds = this.rows.bounds();
      const terms = termsOf(order, maker, bounds);
      await this.rows.requireRoom(manager, terms, bounds.now);
      const draft = { ...terms, name: order.name, familyId: null, createdBy: maker.name, createdAt: bounds.now };
      const made = await this.rows.insert(manager, token, draft);
      await this.audit.add(manager, tokenEvent('token.created', made, { actor: maker, visitor }));
      return made;
    });
    return { apiToken, token };
  }

  /**
   * Ends a token and what was made with it, in this process at once and in others within seconds.
   *
   * @throws {DomainError} `token_not_found`: also for one that was revoked before; `insufficient_scope`, `invalid_token`
   */
  async revoke(id: number, { actor: caller, scope, visitor, within = {} }: TokenAuthority): Promise<void> {
    const token = await this.require(id, within);
    await this.reauthorization.run({ caller, scope }, async (manager, actor) => {
      requireEndable(actor, token);
      await this.rows.end(manager, id);
      await this.audit.add(manager, tokenEvent('token.revoked', token, { actor, visitor }));
    });
    this.verified.forgetAll();
  }

  /**
   * Puts a new token with the same rights and the same length of life in the place of one. The old one works for
   * another day, so that its users can change over. A token cannot make one by that which lives longer than itself; the
   * successor of one that has rotated itself is made with it, and ends with it where it is revoked.
   *
   * @throws {DomainError} `token_not_found`: also for one that has ended or was replaced before; `insufficient_scope`,
   *   `invalid_token`; `too_many_requests`: it rotates itself, and was made so less than an hour ago
   */
  async rotate(id: number, { actor: caller, scope, visitor, within = {} }: TokenAuthority): Promise<IssuedToken> {
    const token = newToken();
    const hold = (manager: EntityManager) => this.rows.holdRotation(manager, caller, id);
    const apiToken = await this.reauthorization.run({ caller, scope, hold }, async (manager, actor) => {
      const old = await this.rows.lock(manager, id);
      if (!old || !isWithin(old, within)) throw tokenNotFound(id);
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
    const { name, token } = caller;
    const bounds = this.rows.bounds();
    const life = old.expiresAt === null ? null : bounds.now + old.expiresAt - old.createdAt;
    const limits = [latestExpiry(old.kind, bounds), await this.limitOfParent(manager, old), token?.expiresAt];
    return {
      ...{ name: old.name, scopes: old.scopes, kind: old.kind, ownerId: old.ownerId },
      parentId: isSelf(caller, old) ? old.id : old.parentId,
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
