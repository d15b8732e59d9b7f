import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { IsNull, LessThan, MoreThan, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { Clock } from '../../../common/clock.js';
import { AppKeys } from '../../../config/values/app-keys.js';
import { Dialect } from '../../../database/dialect/dialect.js';
import type { ReadRepository } from '../../../database/statements/reads.js';
import { insertOrIgnore } from '../../../database/statements/statement.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import { Challenge, type ChallengePurpose } from '../../secrets/challenge.entity.js';

/** Codes that may be tried before the challenge is dead. */
export const MAX_ATTEMPTS = 5;

const CODE_DIGITS = 6;
/** Hash that a guess is compared with if there is nothing to guess. */
const NO_HASH = '0'.repeat(64);

/** Six digits, zeros in front included. */
export function newCode(): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}

/** Key of a challenge: a subject has one of each purpose at a time. */
export type ChallengeKey = Pick<Challenge, 'purpose' | 'subject'>;

/** A challenge that replaces the previous one of its key. */
export interface NewChallenge extends ChallengeKey {
  /** `null`: the address has no account. */
  readonly userId: number | null;
  readonly tokenHash: string;
  /** Left out: it is consumed by its link alone. */
  readonly code?: string;
  /** Decisions from when it was made. */
  readonly context?: unknown;
  readonly expiresAt: number;
}

/** A challenge whose code may be compared. */
export type OpenChallenge = Pick<Challenge, 'id' | 'codeHash'>;

/** A challenge that this request has consumed. */
export interface ConsumedChallenge extends Pick<Challenge, 'subject' | 'userId'> {
  readonly context: unknown;
}

/**
 * Challenges that are consumed with a mailed code or link. Conditional updates decide whether one is still open, and which
 * of several requests consumes it. Codes are hashed with a key that is not in the database: without it any hash of one of
 * a million codes shows the code.
 */
@Injectable()
export class Challenges {
  private readonly codeKeys: readonly Buffer[];

  constructor(
    @InjectRepository(Challenge) private readonly rows: ReadRepository<Challenge>,
    private readonly unitOfWork: UnitOfWork,
    private readonly dialect: Dialect,
    private readonly clock: Clock,
    keys: AppKeys,
  ) {
    this.codeKeys = keys.keys('code');
  }

  /** Makes a challenge, which ends the one before it. */
  async replace(manager: EntityManager, { purpose, subject, ...fresh }: NewChallenge): Promise<void> {
    const now = this.clock.now();
    await insertOrIgnore(manager, Challenge, { purpose, subject, attempts: 0, createdAt: now, expiresAt: now });
    const { id } = await manager.findOneOrFail(Challenge, { where: { purpose, subject }, ...this.dialect.forUpdate });
    await manager.update(
      Challenge,
      { id },
      {
        userId: fresh.userId,
        codeHash: fresh.code === undefined ? null : (this.hashesOf(purpose, id, fresh.code)[0] ?? NO_HASH),
        tokenHash: fresh.tokenHash,
        attempts: 0,
        context: fresh.context === undefined ? null : JSON.stringify(fresh.context),
        createdAt: now,
        expiresAt: fresh.expiresAt,
        consumedAt: null,
      },
    );
  }

  /**
   * The challenge whose code may be tried; `null`: there is nothing to guess, or not any more.
   *
   * @param lifeSeconds how long a code is good for
   * @param attempts how many were taken at most; Infinity: any number
   */
  async openCode(
    { purpose, subject }: ChallengeKey,
    lifeSeconds: number,
    attempts = MAX_ATTEMPTS - 1,
  ): Promise<OpenChallenge | null> {
    const found = await this.rows.findOneBy({ purpose, subject, ...this.open(lifeSeconds) });
    return found && found.attempts <= attempts ? found : null;
  }

  /**
   * Takes one of the attempts at a code, before it is compared and in a unit of work of its own: of many guesses together
   * no more are compared than there are attempts. `null`: there is nothing to guess, or not any more.
   *
   * @param lifeSeconds how long a code is good for
   */
  takeAttempt({ purpose, subject }: ChallengeKey, lifeSeconds: number): Promise<OpenChallenge | null> {
    return this.unitOfWork.run(async (manager) => {
      const { affected } = await manager.update(
        Challenge,
        { purpose, subject, attempts: LessThan(MAX_ATTEMPTS), ...this.open(lifeSeconds) },
        { attempts: () => 'attempts + 1' },
      );
      const found = await manager.findOneBy(Challenge, { purpose, subject });
      return affected === 0 ? null : found;
    });
  }

  /** True if a code is that of the challenge, in the same time wherever they differ; `null`: there is none to guess. */
  isCode(open: OpenChallenge | null, purpose: ChallengePurpose, code: string): boolean {
    const wanted = Buffer.from(open?.codeHash ?? NO_HASH);
    const hashes = this.hashesOf(purpose, open?.id ?? 0, code);
    const equal = hashes.filter((hash) => timingSafeEqual(wanted, Buffer.from(hash)));
    return equal.length > 0 && open?.codeHash != null;
  }

  /** Consumes a challenge by its code, which was compared before. @returns `null`: another request was first */
  async consumeByCode(manager: EntityManager, { id, codeHash }: OpenChallenge): Promise<ConsumedChallenge | null> {
    if (codeHash === null) return null;
    const isOpen = { id, codeHash, consumedAt: IsNull() };
    const { affected } = await manager.update(Challenge, isOpen, { consumedAt: this.clock.now() });
    return affected === 0 ? null : consumed(manager, { id });
  }

  /**
   * The subject that a link was made for; `null`: there is none. Only {@link consumeByToken} decides whether it is good.
   *
   * @param lifeSeconds of a link that is good still; left out: good or not
   */
  async subjectOf(purpose: ChallengePurpose, tokenHash: string, lifeSeconds?: number): Promise<string | null> {
    const isOpen = lifeSeconds === undefined ? {} : this.open(lifeSeconds);
    const found = await this.rows.findOneBy({ tokenHash, purpose, ...isOpen });
    return found?.subject ?? null;
  }

  /** The user that a link was made for, good or not. Locks nothing, so that the user can be locked before the challenge. */
  async ownerOf(manager: EntityManager, purpose: ChallengePurpose, tokenHash: string): Promise<number | null> {
    return (await manager.findOneBy(Challenge, { tokenHash, purpose }))?.userId ?? null;
  }

  /**
   * Consumes a challenge by the token of a link; `null`: it is unknown, over, or another request was first.
   *
   * @param lifeSeconds how long a link is good for, if the challenge lives longer
   */
  async consumeByToken(
    manager: EntityManager,
    purpose: ChallengePurpose,
    tokenHash: string,
    lifeSeconds = Infinity,
  ): Promise<ConsumedChallenge | null> {
    const isOpen = { tokenHash, purpose, ...this.open(lifeSeconds) };
    const { affected } = await manager.update(Challenge, isOpen, { consumedAt: this.clock.now() });
    return affected === 0 ? null : consumed(manager, { tokenHash });
  }

  /** Bound to its challenge, by each secret in use, the present one first. */
  private hashesOf(purpose: ChallengePurpose, id: number, code: string): string[] {
    return this.codeKeys.map((key) => createHmac('sha256', key).update(`${purpose}|${id}|${code}`).digest('hex'));
  }

  private open(lifeSeconds: number): FindOptionsWhere<Challenge> {
    const now = this.clock.now();
    return {
      consumedAt: IsNull(),
      createdAt: MoreThan(Math.max(0, now - lifeSeconds * 1_000)),
      expiresAt: MoreThan(now),
    };
  }
}

async function consumed(manager: EntityManager, which: FindOptionsWhere<Challenge>): Promise<ConsumedChallenge | null> {
  const found = await manager.findOneBy(Challenge, which);
  if (!found) return null;
  const { subject, userId, context } = found;
  return { subject, userId, context: context === null ? null : (JSON.parse(context) as unknown) };
}
