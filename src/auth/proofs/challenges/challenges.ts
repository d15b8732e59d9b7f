import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../../common/clock.js';
import { Dialect } from '../../../database/dialect/dialect.js';
import { Reads } from '../../../database/statements/reads.js';
import { execute, select } from '../../../database/statements/statement.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import type { ChallengePurpose } from './challenge.entity.js';

/** Codes that may be tried before the challenge is dead. */
export const MAX_ATTEMPTS = 5;

/** Of each purpose there is one challenge for a subject at a time. */
export interface ChallengeKey {
  readonly purpose: ChallengePurpose;
  /** The key of an e-mail address. */
  readonly subject: string;
}

/** A challenge that replaces the previous one of its key. */
export interface NewChallenge extends ChallengeKey {
  /** `null`: the address has no account. */
  readonly userId: number | null;
  readonly tokenHash: string;
  /** The hash of the code for the id of the challenge. */
  readonly codeHash?: (id: number) => string;
  /** What was decided when it was made. */
  readonly context?: unknown;
  readonly expiresAt: number;
}

/** A challenge whose code may be compared. */
export interface OpenChallenge {
  readonly id: number;
  readonly codeHash: string | null;
}

/** A challenge that this request has consumed: its code or link was right, in time and not used before. */
export interface ConsumedChallenge {
  readonly subject: string;
  readonly userId: number | null;
  readonly context: unknown;
}

interface Row {
  readonly id: number | string;
  readonly subject: string;
  readonly user_id: number | string | null;
  readonly context: string | null;
}

/**
 * Challenges that are consumed with a mailed code or link. Whether one is still open, and which of several requests
 * consumes it, is decided by conditional updates and never by what was read before them.
 */
@Injectable()
export class Challenges {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly dialect: Dialect,
    private readonly clock: Clock,
  ) {}

  /** Makes a challenge; the one before it is over. */
  async replace(manager: EntityManager, { purpose, subject, ...fresh }: NewChallenge): Promise<void> {
    const now = this.clock.now();
    await execute(
      manager,
      `${this.dialect.insertOrIgnore} INTO auth_challenges (purpose, subject, attempts, created_at, expires_at) VALUES (?, ?, 0, ?, ?)`,
      [purpose, subject, now, now],
    );
    const [row] = await select<{ id: number | string }>(
      manager,
      `SELECT id FROM auth_challenges WHERE purpose = ? AND subject = ?${this.dialect.lockForUpdate}`,
      [purpose, subject],
    );
    const id = Number(row?.id);
    const context = fresh.context === undefined ? null : JSON.stringify(fresh.context);
    await execute(
      manager,
      'UPDATE auth_challenges SET user_id = ?, code_hash = ?, token_hash = ?, attempts = 0, context = ?, ' +
        'created_at = ?, expires_at = ?, consumed_at = NULL WHERE id = ?',
      [fresh.userId, fresh.codeHash?.(id) ?? null, fresh.tokenHash, context, now, fresh.expiresAt, id],
    );
  }

  /**
   * The challenge whose code may be tried.
   *
   * @param lifeSeconds how long a code is good for
   * @param attempts how many were taken at most; Infinity: any number
   * @returns `null`: there is nothing to guess, or not any more
   */
  async openCode(
    { purpose, subject }: ChallengeKey,
    lifeSeconds: number,
    attempts = MAX_ATTEMPTS - 1,
  ): Promise<OpenChallenge | null> {
    const [row] = await this.reads.select<{ id: number | string; code_hash: string | null; attempts: number }>(
      'SELECT id, code_hash, attempts FROM auth_challenges ' +
        'WHERE purpose = ? AND subject = ? AND consumed_at IS NULL AND created_at > ? AND expires_at > ?',
      [purpose, subject, this.bornAfter(lifeSeconds), this.clock.now()],
    );
    return row && row.attempts <= attempts ? { id: Number(row.id), codeHash: row.code_hash } : null;
  }

  /**
   * Takes one of the attempts at a code, before it is compared and in a unit of work of its own: however many guesses
   * arrive together, no more of them are compared than there are attempts.
   *
   * @param lifeSeconds how long a code is good for
   * @returns `null`: there is nothing to guess, or not any more
   */
  takeAttempt({ purpose, subject }: ChallengeKey, lifeSeconds: number): Promise<OpenChallenge | null> {
    return this.unitOfWork.run(async (manager) => {
      const { affected } = await execute(
        manager,
        'UPDATE auth_challenges SET attempts = attempts + 1 WHERE purpose = ? AND subject = ? ' +
          `AND attempts < ${MAX_ATTEMPTS} AND consumed_at IS NULL AND created_at > ? AND expires_at > ?`,
        [purpose, subject, this.bornAfter(lifeSeconds), this.clock.now()],
      );
      const [row] = await select<{ id: number | string; code_hash: string | null }>(
        manager,
        'SELECT id, code_hash FROM auth_challenges WHERE purpose = ? AND subject = ?',
        [purpose, subject],
      );
      return row && affected > 0 ? { id: Number(row.id), codeHash: row.code_hash } : null;
    });
  }

  /** Consumes a challenge by its code, which was compared before. @returns `null`: another request was first */
  async consumeByCode(manager: EntityManager, { id, codeHash }: OpenChallenge): Promise<ConsumedChallenge | null> {
    const { affected } = await execute(
      manager,
      'UPDATE auth_challenges SET consumed_at = ? WHERE id = ? AND code_hash = ? AND consumed_at IS NULL',
      [this.clock.now(), id, codeHash],
    );
    return affected > 0 ? this.read(manager, 'id = ?', [id]) : null;
  }

  /** Whom a link was made for, good or not; `null`: it is unknown, or a newer one took its place. */
  async subjectOf(purpose: ChallengePurpose, tokenHash: string): Promise<string | null> {
    const [found] = await this.reads.select<{ subject: string }>(
      'SELECT subject FROM auth_challenges WHERE token_hash = ? AND purpose = ?',
      [tokenHash, purpose],
    );
    return found?.subject ?? null;
  }

  /**
   * Whom a link was made for that is good still; `null`: there is none. Only {@link consumeByToken} decides.
   *
   * @param lifeSeconds how long a link is good for, where the challenge lives longer
   */
  async openSubjectOf(purpose: ChallengePurpose, tokenHash: string, lifeSeconds = Infinity): Promise<string | null> {
    const [found] = await this.reads.select<{ subject: string }>(
      'SELECT subject FROM auth_challenges WHERE token_hash = ? AND purpose = ? AND consumed_at IS NULL ' +
        'AND created_at > ? AND expires_at > ?',
      [tokenHash, purpose, this.bornAfter(lifeSeconds), this.clock.now()],
    );
    return found?.subject ?? null;
  }

  /**
   * The user a link was made for, good or not; `null`: it is unknown, or of no user. Locks nothing, so that the user can
   * be locked before the challenge.
   */
  async ownerOf(manager: EntityManager, purpose: ChallengePurpose, tokenHash: string): Promise<number | null> {
    const sql = 'SELECT user_id FROM auth_challenges WHERE token_hash = ? AND purpose = ?';
    const [found] = await select<Pick<Row, 'user_id'>>(manager, sql, [tokenHash, purpose]);
    return found?.user_id == null ? null : Number(found.user_id);
  }

  /**
   * Consumes a challenge by the token of a link.
   *
   * @param lifeSeconds how long a link is good for, where the challenge lives longer
   * @returns `null`: unknown, over, or another request was first
   */
  async consumeByToken(
    manager: EntityManager,
    purpose: ChallengePurpose,
    tokenHash: string,
    lifeSeconds = Infinity,
  ): Promise<ConsumedChallenge | null> {
    const { affected } = await execute(
      manager,
      'UPDATE auth_challenges SET consumed_at = ? WHERE token_hash = ? AND purpose = ? AND consumed_at IS NULL ' +
        'AND created_at > ? AND expires_at > ?',
      [this.clock.now(), tokenHash, purpose, this.bornAfter(lifeSeconds), this.clock.now()],
    );
    return affected > 0 ? this.read(manager, 'token_hash = ?', [tokenHash]) : null;
  }

  private async read(
    manager: EntityManager,
    which: string,
    values: (string | number)[],
  ): Promise<ConsumedChallenge | null> {
    const sql = `SELECT id, subject, user_id, context FROM auth_challenges WHERE ${which}`;
    const [row] = await select<Row>(manager, sql, values);
    if (!row) return null;
    const { subject, user_id: userId, context } = row;
    return {
      subject,
      userId: userId === null ? null : Number(userId),
      context: context === null ? null : (JSON.parse(context) as unknown),
    };
  }

  private bornAfter(lifeSeconds: number): number {
    return Math.max(0, this.clock.now() - lifeSeconds * 1_000);
  }
}
