import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import type { AuditEvent } from '../../audit/audit-event.js';
import type { Caller } from '../../common/access/caller.js';
import type { Visitor } from '../../common/access/visitor.js';
import { Clock } from '../../common/clock.js';
import type { PageQuery } from '../../common/page-query.js';
import type { ReadRepository } from '../../database/read-repository.js';
import { execute } from '../../database/statement.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ApiToken } from './api-token.entity.js';
import { expiryIsOver, tokenNotFound } from './api-token.errors.js';
import { requireGrantable } from './grantable.js';
import { hashOf } from '../secrets.js';
import { hintOf, newToken } from './token-format.js';
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
    private readonly audit: Audit,
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
  async create(
    { name, scopes, expiresAt }: TokenOrder,
    creator: Caller,
    visitor: Visitor | null = null,
  ): Promise<IssuedToken> {
    requireGrantable(creator, scopes);
    const now = this.clock.now();
    if (typeof expiresAt === 'number' && expiresAt <= now) throw expiryIsOver();
    const token = newToken();
    const row = newRow(token, {
      name,
      scopes: scopes.join(' '),
      expiresAt: expiresAt === undefined ? now + DEFAULT_LIFE_MS : expiresAt,
      createdBy: creator.name,
      ownerId: ownerOf(creator),
      createdAt: now,
    });
    const apiToken = await this.unitOfWork.run(async (manager) => {
      const made = await insert(manager, row);
      await this.audit.add(manager, happened('token.created', made, { actor: creator, visitor }));
      return made;
    });
    return { apiToken, token };
  }

  /**
   * Ends a token, in this process at once and in others within seconds.
   *
   * @throws {DomainError} `token_not_found`: also for one that was revoked before
   */
  async revoke(id: number, caller: Caller, visitor: Visitor | null = null): Promise<void> {
    const token = await this.require(id);
    await this.unitOfWork.run(async (manager) => {
      await end(manager, id, this.clock.now());
      await this.audit.add(manager, happened('token.revoked', token, { actor: caller, visitor }));
    });
    this.verified.forget(token.tokenHash);
  }

  /**
   * Puts a new token with the same rights and the same length of life in the place of one. The old one works for
   * another day, so that its users can change over.
   *
   * @throws {DomainError} `token_not_found`: also for one that has ended or was replaced before
   */
  async rotate(id: number, caller: Caller, visitor: Visitor | null = null): Promise<IssuedToken> {
    const old = await this.require(id);
    requireGrantable(caller, old.scopes.split(' '));
    const now = this.clock.now();
    const token = newToken();
    const row = newRow(token, {
      name: old.name,
      scopes: old.scopes,
      expiresAt: old.expiresAt === null ? null : now + old.expiresAt - old.createdAt,
      createdBy: caller.name,
      ownerId: ownerOf(caller),
      createdAt: now,
    });
    const apiToken = await this.unitOfWork.run(async (manager) => {
      const made = await replace(manager, old, row);
      await this.audit.add(
        manager,
        happened('token.rotated', old, { actor: caller, visitor }, { replaced_by: made.id }),
      );
      return made;
    });
    this.verified.forget(old.tokenHash);
    return { apiToken, token };
  }
}

type Row = Omit<ApiToken, 'id'>;

function ownerOf({ kind, id }: Caller): number | null {
  return kind === 'user' ? id : null;
}

function newRow(
  token: string,
  properties: Pick<Row, 'name' | 'scopes' | 'expiresAt' | 'createdBy' | 'ownerId' | 'createdAt'>,
): Row {
  const tokenHash = hashOf(token);
  return { ...properties, tokenHash, hint: hintOf(token), lastUsedAt: null, revokedAt: null, replacedBy: null };
}

/** Leaves the row as it was, since a unit of work may run again. */
async function insert(manager: EntityManager, row: Row): Promise<ApiToken> {
  const { identifiers } = await manager.insert(ApiToken, { ...row });
  return Object.assign(new ApiToken(), row, { id: Number(identifiers[0]?.id) });
}

/** What the audit tells of a token; its hint is as good as its name to find it by, and no secret. */
function happened(
  event: AuditEvent['event'],
  { id, name, hint, scopes }: ApiToken,
  by: Pick<AuditEvent, 'actor' | 'visitor'>,
  more: AuditEvent['details'] = {},
): AuditEvent {
  return { event, outcome: 'success', ...by, details: { token_id: id, name, hint, scopes, ...more } };
}

async function end(manager: EntityManager, id: number, now: number): Promise<void> {
  const statement = 'UPDATE api_tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL';
  const { affected } = await execute(manager, statement, [now, id]);
  if (affected === 0) throw tokenNotFound(id);
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
