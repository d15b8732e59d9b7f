import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ownerIdOf, userIdOf, type Caller } from '../../common/access/caller.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { select } from '../../database/statements/statement.js';
import { Reauthorization } from '../../database/units/reauthorization.js';
import { scopesOf } from '../../users/roles/roles.js';
import { shareUser, type ActingUser } from '../../users/rows/user-rows.js';
import { providerOfIssuer } from '../accounts/identity.entity.js';
import { SessionTimes } from '../tokens/access/live-sessions.js';
import { ConfiguredTokens } from '../tokens/api/rows/configured-tokens.js';
import { callerWith, SELECT_TOKENS, type TokenRow } from '../tokens/api/verified-tokens.js';

interface SessionRow {
  readonly refreshed_at: number | string;
  readonly expires_at: number | string;
}

/**
 * Reads sessions, users and API tokens inside units of work. Users are locked first, then what belongs to them, as in
 * `docs/internals.md`, "Order of locks": units that end a credential and units that use it wait for each other, but
 * not in a circle.
 */
@Injectable()
export class CallerReader implements OnModuleInit {
  constructor(
    private readonly reauthorization: Reauthorization,
    private readonly dialect: Dialect,
    private readonly times: SessionTimes,
    private readonly configured: ConfiguredTokens,
  ) {}

  onModuleInit(): void {
    this.reauthorization.use((manager, caller) => this.read(manager, caller));
  }

  /** @throws {DomainError} `invalid_token`: the credential has ended */
  private async read(manager: EntityManager, caller: Caller): Promise<Caller> {
    const ownerId = ownerIdOf(caller);
    const user = ownerId === null ? null : await shareUser(manager, this.dialect, ownerId);
    // A service token goes on without its owner.
    const isOut = userIdOf(caller) !== null && user?.disabled_at !== null;
    const present = isOut
      ? null
      : await (caller.kind === 'user' ? this.signedIn(manager, caller, user) : this.withToken(manager, caller));
    if (!present) throw new DomainError('invalid_token', 'The token has expired or was revoked.');
    return present;
  }

  private async signedIn(
    manager: EntityManager,
    caller: Caller,
    user: ActingUser | null | undefined,
  ): Promise<Caller | null> {
    if (caller.issuer !== undefined) return this.ofIssuer(manager, caller, user);
    const [session] = await select<SessionRow>(
      manager,
      'SELECT refreshed_at, expires_at FROM auth_sessions WHERE id = ? AND user_id = ? AND revoked_at IS NULL' +
        this.dialect.lockInShareMode,
      [caller.sessionId ?? '', caller.id],
    );
    if (!session || !user) return null;
    const end = this.times.endOf({
      refreshedAt: Number(session.refreshed_at),
      expiresAt: Number(session.expires_at),
    });
    return end > this.times.now() ? { ...caller, name: user.name, scopes: new Set(scopesOf(user.role)) } : null;
  }

  /** Without a session: the scopes are those of the token, which is not over for some seconds more. */
  private async ofIssuer(
    manager: EntityManager,
    caller: Caller,
    user: ActingUser | null | undefined,
  ): Promise<Caller | null> {
    const sql = `SELECT id FROM auth_identities WHERE user_id = ? AND provider = ?${this.dialect.lockInShareMode}`;
    const linked = await select(manager, sql, [caller.id, providerOfIssuer(caller.issuer ?? '')]);
    return user && linked.length > 0 ? { ...caller, name: user.name, ownRole: user.role } : null;
  }

  private async withToken(manager: EntityManager, { id }: Caller): Promise<Caller | null> {
    const sql = `${SELECT_TOKENS} t.id = ?${this.dialect.lockInShareMode}`;
    const [row] = await select<TokenRow>(manager, sql, [id]);
    const present = row ? callerWith(row, this.configured) : null;
    return present && (present.token.expiresAt ?? Infinity) > this.times.now() ? present : null;
  }
}
