import { Injectable } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { AppKeys } from '../../config/app-keys.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { execute, select } from '../../database/statement.js';
import { REPEATABLE, UnitOfWork } from '../../database/unit-of-work.js';

/** What is counted of an account, whether there is such an account or not. */
export type Tried = 'login' | 'code' | 'send_minute' | 'send_hour' | 'mails';

/** So often something may be tried in so many seconds. */
interface Allowed {
  readonly limit: number;
  readonly seconds: number;
}

/** Tries that are free; from the next one on each failure doubles the wait. */
const FREE_TRIES = 4;
const MAX_DOUBLINGS = 10;
const MAX_WAIT_SECONDS = 900;
/** NIST SP 800-63B: no more than 100 failures in a row. Then the password has to be reset by mail. */
const MAX_TRIES = 100;

/**
 * Counts tries per account in the database, for all processes together. A try is counted before it is made, by one
 * statement that either takes it or refuses it: however many arrive together, no more than allowed get through.
 */
@Injectable()
export class AccountTries {
  private readonly key: Buffer;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly dialect: Dialect,
    private readonly clock: Clock,
    keys: AppKeys,
  ) {
    this.key = keys.key('counter');
  }

  /**
   * Takes a try that counts as a failure until {@link forget} is called. From the fifth on everybody has to wait:
   * a second, two, four, up to a quarter of an hour.
   *
   * @throws {DomainError} `too_many_requests` with the seconds to wait
   */
  async takeWithDelay(tried: Tried, account: string): Promise<void> {
    const now = this.clock.now();
    const id = this.idOf(tried, account);
    const isTaken = await this.take(
      id,
      // The free ones look at no time: another process may have written one that is a moment ahead of ours.
      `UPDATE auth_counters
          SET ends_at = CASE WHEN tries < ${FREE_TRIES} THEN ?
                             WHEN tries >= ${FREE_TRIES + MAX_DOUBLINGS} THEN ?
                             ELSE ? + (1 << (tries - ${FREE_TRIES})) * 1000 END,
              tries = tries + 1
        WHERE id = ? AND (tries <= ${FREE_TRIES} OR ends_at <= ?) AND tries < ${MAX_TRIES}`,
      [now, now + MAX_WAIT_SECONDS * 1_000, now, id, now],
    );
    if (!isTaken) throw await this.refusal(id, MAX_WAIT_SECONDS);
  }

  /**
   * Takes one of the tries of the present window; the first one begins it.
   *
   * @returns whether there was one left
   */
  async takeOf(tried: Tried, account: string, { limit, seconds }: Allowed): Promise<boolean> {
    const now = this.clock.now();
    const id = this.idOf(tried, account);
    return this.take(
      id,
      `UPDATE auth_counters
          SET tries = CASE WHEN ends_at <= ? THEN 1 ELSE tries + 1 END,
              ends_at = CASE WHEN ends_at <= ? THEN ? ELSE ends_at END
        WHERE id = ? AND (ends_at <= ? OR tries < ?)`,
      [now, now, now + seconds * 1_000, id, now, limit],
    );
  }

  /** @throws {DomainError} `too_many_requests`: there was none left */
  async requireOf(tried: Tried, account: string, allowed: Allowed): Promise<void> {
    if (await this.takeOf(tried, account, allowed)) return;
    throw await this.refusal(this.idOf(tried, account), allowed.seconds);
  }

  /** Gives back a try that could not be made. */
  async giveBack(tried: Tried, account: string): Promise<void> {
    const id = this.idOf(tried, account);
    await this.unitOfWork.run(
      (manager) =>
        execute(manager, 'UPDATE auth_counters SET tries = tries - 1, ends_at = 0 WHERE id = ? AND tries > 0', [id]),
      REPEATABLE,
    );
  }

  /** Begins counting anew: the tries turned out to be good ones. */
  async forget(tried: Tried, account: string): Promise<void> {
    await this.unitOfWork.run((manager) => this.forgetWithin(manager, tried, account), REPEATABLE);
  }

  /** The same as part of a unit of work: something else makes the tries worth nothing. */
  async forgetWithin(manager: EntityManager, tried: Tried, account: string): Promise<void> {
    await execute(manager, 'DELETE FROM auth_counters WHERE id = ?', [this.idOf(tried, account)]);
  }

  private idOf(tried: Tried, account: string): string {
    return createHmac('sha256', this.key).update(`${tried}\n${account}`).digest('hex');
  }

  private take(id: string, sql: string, values: readonly (string | number)[]): Promise<boolean> {
    return this.unitOfWork.run(async (manager) => {
      if ((await execute(manager, sql, values)).affected > 0) return true;
      await execute(
        manager,
        `${this.dialect.insertOrIgnore} INTO auth_counters (id, tries, ends_at) VALUES (?, 0, 0)`,
        [id],
      );
      return (await execute(manager, sql, values)).affected > 0;
    }, REPEATABLE);
  }

  private async refusal(id: string, fallbackSeconds: number): Promise<DomainError> {
    const now = this.clock.now();
    const [row] = await this.unitOfWork.run(
      (manager) =>
        select<{ ends_at: number | string }>(manager, 'SELECT ends_at FROM auth_counters WHERE id = ?', [id]),
      REPEATABLE,
    );
    const left = Math.ceil((Number(row?.ends_at ?? 0) - now) / 1_000);
    const seconds = left > 0 ? left : fallbackSeconds;
    return new DomainError('too_many_requests', `Too many tries. Try again in ${seconds} s.`, {
      headers: { 'Retry-After': String(seconds) },
      facts: { retry_after: seconds },
    });
  }
}
