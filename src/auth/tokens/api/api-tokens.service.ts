import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import type { AuditEvent } from '../../../audit/audit-event.js';
import { Audit } from '../../../audit/audit.js';
import type { Caller, Scope } from '../../../common/access/caller.js';
import type { Initiator } from '../../../common/access/initiator.js';
import type { PageQuery } from '../../../common/http/url-query.js';
import type { ReadRepository } from '../../../database/statements/reads.js';
import { Reauthorization } from '../../../database/units/reauthorization.js';
import { ApiToken, type TokenKind } from './rows/api-token.entity.js';
import {
  earliest,
  grantOf,
  latestExpiry,
  requireEndable,
  requireMaker,
  requireRotatable,
  type TokenRequest,
} from './rows/token-grant.js';
import { newToken, TokenRows, type IssuedToken, type TokenDraft, tokenNotFound } from './rows/token-rows.js';
import { VerifiedTokens } from './verified-tokens.js';

export interface TokenSet {
  readonly kind?: TokenKind;
  readonly ownerId?: number;
}

/** The person or program that does something with tokens, and their right to it. */
export interface TokenAuthority extends Initiator {
  /** Scope that the actor needs; `null`: a living credential. */
  readonly scope: Scope | null;
  /** The tokens that are meant; others are not found. Left out: all. */
  readonly within?: TokenSet;
}

function tokenEvent(
  event: AuditEvent['event'],
  token: ApiToken,
  by: Pick<AuditEvent, 'actor' | 'visitor'>,
  more: AuditEvent['details'] = {},
): AuditEvent {
  const { id, name, hint, scopes, kind, ownerId } = token;
  const details = { token_id: id, name, hint, scopes, kind, ...until(token), ...more };
  return { event, outcome: 'success', userId: ownerId, ...by, details };
}

/** `null`: for ever. */
function until({ expiresAt }: ApiToken) {
  return { expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString() };
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

  /** The valid ones of a user, the newest first, at most so many. */
  living(ownerId: number, most: number): Promise<ApiToken[]> {
    return this.tokens.find({ where: { ...this.rows.living(), ownerId }, order: { id: 'DESC' }, take: most });
  }

  /** @throws {DomainError} `token_not_found` */
  async require(id: number, which: TokenSet = {}): Promise<ApiToken> {
    const token = await this.tokens.findOneBy({ ...which, id });
    if (!token) throw tokenNotFound(id);
    return token;
  }

  /**
   * @throws {DomainError} `insufficient_scope`, `too_many_tokens`, `invalid_token`
   * @throws {ValidationError} an expiry that is over or too far ahead, a kind that the caller cannot make
   */
  async create(order: TokenRequest, { actor: caller, scope, visitor }: TokenAuthority): Promise<IssuedToken> {
    const token = newToken();
    const hold = (manager: EntityManager) => this.rows.holdMaker(manager, caller);
    const apiToken = await this.reauthorization.run({ caller, scope, hold }, async (manager, maker) => {
      requireMaker(maker);
      const now = this.rows.now();
      const terms = grantOf(order, maker, now);
      await this.rows.requireCapacity(manager, terms, now);
      const draft = { ...terms, name: order.name, createdBy: maker.name, createdAt: now };
      const made = await this.rows.insert(manager, token, draft);
      await this.audit.add(manager, tokenEvent('token.created', made, { actor: maker, visitor }));
      return made;
    });
    return { apiToken, token };
  }

  /** @throws {DomainError} `token_not_found`: also for one that was revoked before; `insufficient_scope`, `invalid_token` */
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
   * Puts a new token with the same rights and length of life in the place of one that works for another day. One that a token
   * of the configuration gets ends with that token.
   *
   * @throws {DomainError} `token_not_found`: also for one that has ended or was replaced; `insufficient_scope`, `invalid_token`
   */
  async rotate(id: number, { actor: caller, scope, visitor, within = {} }: TokenAuthority): Promise<IssuedToken> {
    const token = newToken();
    const apiToken = await this.reauthorization.run({ caller, scope }, async (manager, actor) => {
      requireMaker(actor);
      const old = await this.rows.lock(manager, id);
      if (!old || !isWithin(old, within)) throw tokenNotFound(id);
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
    const now = this.rows.now();
    const life = old.expiresAt === null ? null : now + old.expiresAt - old.createdAt;
    return {
      ...{ name: old.name, scopes: old.scopes, kind: old.kind, ownerId: old.ownerId },
      configuredParent: configured ?? old.configuredParent,
      expiresAt: earliest(life, latestExpiry(old.kind, now)),
      createdBy: name,
      createdAt: now,
    };
  }
}

function isWithin(token: ApiToken, { kind, ownerId }: TokenSet): boolean {
  return token.kind === (kind ?? token.kind) && token.ownerId === (ownerId ?? token.ownerId);
}
