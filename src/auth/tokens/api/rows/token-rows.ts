import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ownerIdOf, type Caller } from '../../../../common/access/caller.js';
import { Clock } from '../../../../common/clock.js';
import { Settings } from '../../../../config/settings.js';
import { holdSharedRow } from '../../../../database/shared-secret.js';
import { Dialect } from '../../../../database/dialect/dialect.js';
import { execute, select } from '../../../../database/statements/statement.js';
import { holdUser } from '../../../../users/rows/user-rows.js';
import { hashOf } from '../../../secrets/secrets.js';
import { ConfiguredTokens } from './configured-tokens.js';
import { ApiToken } from './api-token.entity.js';
import { tokenNotFound, tooManyTokens } from './api-token.errors.js';
import { hintOf } from './token-format.js';
import type { TokenBounds, TokenGrant } from './token-grant.js';

const OVERLAP_MS = 86_400_000;
/** Living tokens of one owner. Those that were replaced do not count. */
const MAX_LIVING = 100;
/** Living tokens without an owner, in all. */
const MAX_OWNERLESS = 1_000;

/** A new token apart from what comes of its text. */
export type TokenDraft = TokenGrant & Pick<ApiToken, 'name' | 'createdBy' | 'createdAt'>;

/** The rows of API tokens, inside units of work. */
@Injectable()
export class TokenRows {
  constructor(
    private readonly dialect: Dialect,
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly configured: ConfiguredTokens,
  ) {}

  bounds(): TokenBounds {
    return { now: this.clock.now(), maxDays: this.settings.signIn.maxTokenDays };
  }

  /** The token as it is now; no other unit of work changes it until this one ends. `null`: there is none. */
  async lock(manager: EntityManager, id: number): Promise<ApiToken | null> {
    await this.dialect.hold(manager, 'api_tokens', { sql: 'id = ?', values: [id] });
    return manager.findOneBy(ApiToken, { id });
  }

  /** Keeps others from making tokens for the same user, or without one, until the unit of work ends. */
  async holdMaker(manager: EntityManager, caller: Caller): Promise<void> {
    const ownerId = ownerIdOf(caller);
    if (ownerId === null) await holdSharedRow(manager, this.dialect);
    else await holdUser(manager, this.dialect, ownerId);
  }

  /** Leaves the draft as it was, since a unit of work may run again. */
  async insert(manager: EntityManager, token: string, draft: TokenDraft): Promise<ApiToken> {
    const row = {
      ...draft,
      tokenHash: hashOf(token),
      hint: hintOf(token),
      lastUsedAt: null,
      revokedAt: null,
      replacedBy: null,
    };
    const { identifiers } = await manager.insert(ApiToken, { ...row });
    return Object.assign(new ApiToken(), row, { id: Number(identifiers[0]?.id) });
  }

  /** @throws {DomainError} `too_many_tokens`: no other one may be added to them. To be asked after {@link holdMaker} */
  async requireCapacity(manager: EntityManager, { ownerId }: TokenGrant, now: number): Promise<void> {
    if (ownerId !== null) {
      await this.requireFewer(manager, {
        whose: 'of the user',
        which: 'owner_id = ?',
        ids: [ownerId],
        most: MAX_LIVING,
        now,
      });
      return;
    }
    await this.requireFewer(manager, {
      whose: 'without a responsible user',
      which: 'owner_id IS NULL',
      ids: [],
      most: MAX_OWNERLESS,
      now,
    });
  }

  /** @throws {DomainError} `token_not_found`: also for one that was revoked before */
  async end(manager: EntityManager, id: number): Promise<void> {
    const now = this.clock.now();
    const statement = 'UPDATE api_tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL';
    const { affected } = await execute(manager, statement, [now, id]);
    if (affected === 0) throw tokenNotFound(id);
  }

  /**
   * Puts a successor in the place of a token, which works for another day.
   *
   * @throws {DomainError} `token_not_found`: it has ended or was replaced
   */
  async replace(manager: EntityManager, old: ApiToken, token: string, draft: TokenDraft): Promise<ApiToken> {
    const { createdAt: now } = draft;
    const successor = await this.insert(manager, token, draft);
    const { affected } = await execute(
      manager,
      'UPDATE api_tokens SET replaced_by = ?, expires_at = ? ' +
        'WHERE id = ? AND replaced_by IS NULL AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)',
      [successor.id, Math.min(old.expiresAt ?? Infinity, now + OVERLAP_MS), old.id, now],
    );
    if (affected === 0) throw tokenNotFound(old.id);
    return successor;
  }

  /** @throws {DomainError} `too_many_tokens` */
  private async requireFewer(manager: EntityManager, { whose, which, ids, most, now }: Capped): Promise<void> {
    const living = this.configured.living();
    const rows = await select(
      manager,
      `SELECT id FROM api_tokens WHERE ${which} AND revoked_at IS NULL AND replaced_by IS NULL ` +
        `AND (expires_at IS NULL OR expires_at > ?) AND ${living.sql} LIMIT ${most}`,
      [...ids, now, ...living.values],
    );
    if (rows.length >= most) throw tooManyTokens(whose, most);
  }
}

/** Tokens that have a cap. */
interface Capped {
  /** Whose tokens they are, for the message. */
  readonly whose: string;
  /** Which tokens are meant, as SQL. */
  readonly which: string;
  readonly ids: readonly number[];
  readonly most: number;
  readonly now: number;
}
