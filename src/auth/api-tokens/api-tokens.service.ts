import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../common/access/caller.js';
import { Clock } from '../../common/clock.js';
import type { PageQuery } from '../../common/page-query.js';
import type { ReadRepository } from '../../database/read-repository.js';
import { execute } from '../../database/statement.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ApiToken } from './api-token.entity.js';
import { expiryIsOver, tokenNotFound } from './api-token.errors.js';
import { requireGrantable } from './grantable.js';
import { hashOfToken, hintOf, newToken } from './token-format.js';
import { VerifiedTokens } from './verified-tokens.js';

const DAY_MS = 86_400_000;
const DEFAULT_LIFE_MS = 365 * DAY_MS;
const OVERLAP_MS = DAY_MS;

/** What a new token shall be. */
export interface TokenOrder {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970, UTC; `null`: never; left out: in 365 days. */
  readonly expiresAt?: number | null;
}

/** A token right after it was made: the only moment at which its text is known. */
export interface IssuedToken {
  readonly apiToken: ApiToken;
  readonly token: string;
}

/** Makes, shows, replaces and ends the credentials of programs. */
@Injectable()
export class ApiTokensService {
  constructor(
    @InjectRepository(ApiToken) private readonly tokens: ReadRepository<ApiToken>,
    private readonly unitOfWork: UnitOfWork,
    private readonly verified: VerifiedTokens,
    private readonly clock: Clock,
  ) {}

  /** The newest first, with those that ended. */
  async list({ page, perPage }: PageQuery): Promise<readonly [readonly ApiToken[], number]> {
    return this.tokens.findAndCount({ order: { id: 'DESC' }, skip: (page - 1) * perPage, take: perPage });
  }

  /** @throws {DomainError} `token_not_found` */
  async require(id: number): Promise<ApiToken> {
    const token = await this.tokens.findOneBy({ id });
    if (!token) throw tokenNotFound(id);
    return token;
  }

  /**
   * @throws {DomainError} `insufficient_scope`: nobody can hand on more than they may do themselves
   * @throws {ValidationError} an expiry that is over
   */
  async create({ name, scopes, expiresAt }: TokenOrder, creator: Caller): Promise<IssuedToken> {
    requireGrantable(creator, scopes);
    const now = this.clock.now();
    if (typeof expiresAt === 'number' && expiresAt <= now) throw expiryIsOver();
    const token = newToken();
    const row = newRow(token, {
      name,
      scopes: scopes.join(' '),
      expiresAt: expiresAt === undefined ? now + DEFAULT_LIFE_MS : expiresAt,
      createdBy: creator.name,
      createdAt: now,
    });
    return { apiToken: await this.unitOfWork.run((manager) => insert(manager, row)), token };
  }

  /**
   * Ends a token, in this process at once and in others within seconds.
   *
   * @throws {DomainError} `token_not_found`: also for one that was revoked before
   */
  async revoke(id: number): Promise<void> {
    const token = await this.require(id);
    const { affected } = await this.unitOfWork.run((manager) =>
      execute(manager, 'UPDATE api_tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', [
        this.clock.now(),
        id,
      ]),
    );
    if (affected === 0) throw tokenNotFound(id);
    this.verified.forget(token.tokenHash);
  }

  /**
   * Puts a new token with the same rights and the same length of life in the place of one. The old one works for
   * another day, so that its users can change over.
   *
   * @throws {DomainError} `token_not_found`: also for one that has ended or was replaced before
   */
  async rotate(id: number, caller: Caller): Promise<IssuedToken> {
    const old = await this.require(id);
    requireGrantable(caller, old.scopes.split(' '));
    const now = this.clock.now();
    const token = newToken();
    const row = newRow(token, {
      name: old.name,
      scopes: old.scopes,
      expiresAt: old.expiresAt === null ? null : now + old.expiresAt - old.createdAt,
      createdBy: caller.name,
      createdAt: now,
    });
    const apiToken = await this.unitOfWork.run((manager) => replace(manager, old, row));
    this.verified.forget(old.tokenHash);
    return { apiToken, token };
  }
}

type Row = Omit<ApiToken, 'id'>;

function newRow(
  token: string,
  properties: Pick<Row, 'name' | 'scopes' | 'expiresAt' | 'createdBy' | 'createdAt'>,
): Row {
  const tokenHash = hashOfToken(token);
  return { ...properties, tokenHash, hint: hintOf(token), lastUsedAt: null, revokedAt: null, replacedBy: null };
}

/** Leaves the row as it was, since a unit of work may run again. */
async function insert(manager: EntityManager, row: Row): Promise<ApiToken> {
  const { identifiers } = await manager.insert(ApiToken, { ...row });
  return Object.assign(new ApiToken(), row, { id: Number(identifiers[0]?.id) });
}

async function replace(manager: EntityManager, { id, expiresAt }: ApiToken, row: Row): Promise<ApiToken> {
  const now = row.createdAt;
  const successor = await insert(manager, row);
  const { affected } = await execute(
    manager,
    'UPDATE api_tokens SET replaced_by = ?, expires_at = ? ' +
      'WHERE id = ? AND replaced_by IS NULL AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)',
    [successor.id, Math.min(expiresAt ?? Infinity, now + OVERLAP_MS), id, now],
  );
  if (affected === 0) throw tokenNotFound(id);
  return successor;
}
