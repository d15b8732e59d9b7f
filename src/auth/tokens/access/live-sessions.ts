import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan, type FindOptionsWhere } from 'typeorm';
import type { Caller } from '../../../common/access/caller.js';
import { Clock } from '../../../common/clock.js';
import { CredentialCache } from '../../../common/concurrency/credential-cache.js';
import { Settings } from '../../../config/settings.js';
import { Reads } from '../../../database/statements/reads.js';
import { scopesOf, type Role } from '../../../users/roles/roles.js';
import { USER, USER_IS_ENABLED, usersBy } from '../../../users/rows/user-rows.js';
import type { Session } from './session.entity.js';

/** Distinguishes sessions that go on from those that were ended or are over. */
@Injectable()
export class SessionTimes {
  constructor(
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  now(): number {
    return this.clock.now();
  }

  /** A condition on sessions that go on: they were not ended, and are not over. */
  living(): FindOptionsWhere<Session> {
    const now = this.now();
    return { revokedAt: IsNull(), expiresAt: MoreThan(now), refreshedAt: MoreThan(now - this.idleMs) };
  }

  /** When a session ends unless it is refreshed before: after so long without, and after its whole life in any case. */
  endOf({ refreshedAt, expiresAt }: Pick<Session, 'refreshedAt' | 'expiresAt'>): number {
    return Math.min(refreshedAt + this.idleMs, expiresAt);
  }

  private get idleMs(): number {
    return this.settings.signIn.idleSeconds * 1_000;
  }
}

interface Live {
  readonly caller: Caller & { readonly id: number };
  /** When the session ends by itself, milliseconds since 1970, UTC. */
  readonly endsAt: number;
}

interface Row {
  readonly user_id: number | string;
  readonly name: string;
  readonly role: Role;
  readonly refreshed_at: number | string;
  readonly expires_at: number | string;
}

/** The living sessions with their users and scopes, cached for a few seconds each. */
@Injectable()
export class LiveSessions {
  private readonly live: CredentialCache<Live>;

  constructor(
    private readonly reads: Reads,
    private readonly times: SessionTimes,
    clock: Clock,
  ) {
    this.live = new CredentialCache(clock, (sessionId) => this.find(sessionId));
  }

  /** The user of a session with the scopes of their present role; `null`: the session or the user is out. */
  async callerOf(sessionId: string): Promise<Caller | null> {
    const found = this.live.known(sessionId) ?? (await this.live.get(sessionId));
    return found && found.endsAt > this.times.now() ? found.caller : null;
  }

  /** Has the next request of this session ask the database: it was ended. */
  forget(sessionId: string): void {
    this.live.forget(sessionId);
  }

  /** The same for all sessions: something happened to a user. That is rare. */
  forgetAll(): void {
    this.live.forgetAll();
  }

  private async find(sessionId: string): Promise<Live | null> {
    const [row] = await this.reads.select<Row>(
      `SELECT s.user_id, s.refreshed_at, s.expires_at, ${USER.name}, ${USER.role} FROM auth_sessions s ` +
        `JOIN ${usersBy('s.user_id')} WHERE s.id = ? AND s.revoked_at IS NULL AND ${USER_IS_ENABLED}`,
      [sessionId],
    );
    if (!row) return null;
    return {
      caller: {
        kind: 'user',
        id: Number(row.user_id),
        name: row.name,
        scopes: new Set(scopesOf(row.role)),
        sessionId,
      },
      endsAt: this.times.endOf({ refreshedAt: Number(row.refreshed_at), expiresAt: Number(row.expires_at) }),
    };
  }
}
