import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { execute, select } from '../../database/statements/statement.js';
import { hashOf, isSecret, newSecret } from '../secrets/secrets.js';
import { isVerified } from './pkce.js';

const LIFE_MS = 60_000;

/** What a one-time code grants. */
export interface Grant {
  readonly userId: number;
  /** How its user proved who they are. @see RFC 8176 */
  readonly amr: readonly string[];
  /** Who may redeem it; `null`: any bearer. @see RFC 7636 */
  readonly codeChallenge: string | null;
  /** When its user proved who they are, milliseconds since 1970, UTC; 0: unknown; left out: as the code is exchanged. */
  readonly authTime?: number;
  /** The session at an identity provider in which the session begins. */
  readonly providerSid?: string | null;
  /** Whether the device of the proof is one of the user: at the exchange its cookie may be missing. */
  readonly isKnownDevice?: boolean;
}

/** A code as it is found, held still until the unit of work ends. */
export interface FoundCode extends Grant {
  readonly id: number;
  /** `spent`: it was redeemed before, and it was the code of this very session. */
  readonly state: 'open' | 'expired' | 'spent';
  readonly sessionId: string | null;
}

interface Row {
  readonly id: number | string;
  readonly user_id: number | string;
  readonly context: string;
  readonly expires_at: number | string;
  readonly consumed_at: number | string | null;
}

/** One-time codes, which stand in an address in the place of tokens and are exchanged for them. */
@Injectable()
export class ExchangeCodes {
  constructor(
    private readonly clock: Clock,
    private readonly dialect: Dialect,
  ) {}

  /** @returns the code; only its hash is kept */
  async issue(manager: EntityManager, { userId, ...grant }: Grant): Promise<string> {
    const code = newSecret();
    const now = this.clock.now();
    await execute(
      manager,
      'INSERT INTO auth_challenges (purpose, subject, user_id, token_hash, attempts, context, created_at, expires_at) ' +
        "VALUES ('exchange', ?, ?, ?, 0, ?, ?, ?)",
      [hashOf(code), userId, hashOf(code), JSON.stringify(grant), now, now + LIFE_MS],
    );
    return code;
  }

  /** Whose a code is, good or not; `null`: there is none. Locks nothing: the user is locked before {@link find} does. */
  async ownerOf(manager: EntityManager, code: string): Promise<number | null> {
    if (!isSecret(code)) return null;
    const sql = "SELECT user_id FROM auth_challenges WHERE purpose = 'exchange' AND token_hash = ?";
    const [row] = await select<Pick<Row, 'user_id'>>(manager, sql, [hashOf(code)]);
    return row ? Number(row.user_id) : null;
  }

  /** `null`: there is no such code, or the verifier is not the one that it was asked for with. */
  async find(manager: EntityManager, code: string, verifier: string | null): Promise<FoundCode | null> {
    const [row] = await select<Row>(
      manager,
      'SELECT id, user_id, context, expires_at, consumed_at FROM auth_challenges ' +
        `WHERE purpose = 'exchange' AND token_hash = ?${this.dialect.lockForUpdate}`,
      [hashOf(code)],
    );
    if (!row) return null;
    const found = this.found(row);
    return isVerified(found.codeChallenge, verifier) ? found : null;
  }

  /** Marks a code as redeemed, for a session that ends when it is shown again. */
  async spend(
    manager: EntityManager,
    { id, amr, codeChallenge, providerSid }: FoundCode,
    sessionId: string,
  ): Promise<void> {
    await execute(manager, 'UPDATE auth_challenges SET consumed_at = ?, context = ? WHERE id = ?', [
      this.clock.now(),
      JSON.stringify({ amr, codeChallenge, providerSid, sessionId }),
      id,
    ]);
  }

  private found({ id, user_id, context, expires_at, consumed_at }: Row): FoundCode {
    // Written by this class alone.
    const { sessionId, ...grant } = JSON.parse(context) as Omit<Grant, 'userId'> & { readonly sessionId?: string };
    const isOpen = Number(expires_at) > this.clock.now();
    const state = consumed_at !== null ? 'spent' : isOpen ? 'open' : 'expired';
    return { ...grant, id: Number(id), userId: Number(user_id), state, sessionId: sessionId ?? null };
  }
}
