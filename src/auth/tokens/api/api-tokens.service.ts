import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../audit/audit.js';
import type { PageQuery } from '../../../common/http/url-query.js';
import type { ReadRepository } from '../../../database/statements/reads.js';
import { Reauthorization } from '../../../database/units/reauthorization.js';
import { ApiToken } from './rows/api-token.entity.js';
import { tokenNotFound } from './rows/api-token.errors.js';
import { tokenEvent } from './rows/token-events.js';
import { newToken } from './rows/token-format.js';
import { requireEndable, requireMaker } from './rows/token-rights.js';
import { TokenRows } from './rows/token-rows.js';
import { grantOf, type TokenRequest } from './rows/token-grant.js';
import { VerifiedTokens } from './check/verified-tokens.js';
import type { IssuedToken } from './issued-token.js';
import type { TokenAuthority, TokenSet } from './token-authority.js';

/** Makes, shows and ends API tokens. */
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
   * @throws {DomainError} `insufficient_scope`: an API token asks, or for more than the caller holds; `too_many_tokens`, `invalid_token`
   * @throws {ValidationError} an expiry that is over or too far ahead, a kind that the caller cannot make
   */
  async create(order: TokenRequest, { actor: caller, scope, visitor }: TokenAuthority): Promise<IssuedToken> {
    const token = newToken();
    const hold = (manager: EntityManager) => this.rows.holdMaker(manager, caller);
    const apiToken = await this.reauthorization.run({ caller, scope, hold }, async (manager, maker) => {
      requireMaker(maker);
      const bounds = this.rows.bounds();
      const terms = grantOf(order, maker, bounds);
      await this.rows.requireCapacity(manager, terms, bounds.now);
      const draft = { ...terms, name: order.name, createdBy: maker.name, createdAt: bounds.now };
      const made = await this.rows.insert(manager, token, draft);
      await this.audit.add(manager, tokenEvent('token.created', made, { actor: maker, visitor }));
      return made;
    });
    return { apiToken, token };
  }

  /**
   * Ends a token, in this process at once and in others within seconds.
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
}
