import { Injectable } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import { type EntityManager, MoreThan } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import type { Visitor } from '../../common/access/visitor.js';
import { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { JobQueue } from '../../common/jobs/job-queue.js';
import { JobRunner } from '../../common/jobs/job-runner.js';
import { AppKeys } from '../../config/values/app-keys.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { execute } from '../../database/statements/statement.js';
import { AgreedTime } from '../../database/units/agreed-time.js';
import { REPEATABLE, UnitOfWork } from '../../database/units/unit-of-work.js';
import { UsersService } from '../../users/users.service.js';
import { Counter } from './counter.entity.js';

function tooManyTries(seconds: number): DomainError {
  return refusal(`Too many tries. Try again in ${seconds} s.`, seconds);
}

/** The refusal after so many wrong codes in a day that only the link of the mail signs in. */
export function codesLocked(seconds: number): DomainError {
  return refusal(`Too many wrong codes in a day. Sign in with the link of the mail.`, seconds);
}

function refusal(sentence: string, seconds: number): DomainError {
  return new DomainError('too_many_requests', sentence, {
    headers: { 'Retry-After': String(seconds) },
    extensions: { retry_after: seconds },
  });
}

/** An `UPDATE` that takes one more try of a counter or changes no row, its values, and the longest wait that it begins. */
type CounterUpdate = readonly [sql: string, values: readonly (string | number)[], longestMs: number];

/** Counters of an account, whether there is such an account or not. */
export type CounterName =
  | 'login'
  | 'code'
  | 'code_day'
  | 'code_attempt'
  | 'send_minute'
  | 'send_hour'
  | 'send_reserve'
  | 'mails'
  | 'notices'
  | 'notices_tokens'
  | 'notices_locks';

export type Quota = Readonly<Record<'limit' | 'seconds', number>>;

/** Tries that are free; from the next one on each failure doubles the wait. */
const FREE_TRIES = 4;
const MAX_DOUBLINGS = 10;
const MAX_WAIT_SECONDS = 900;
/** NIST SP 800-63B: no more than 100 failures in a row. Then the password has to be reset by mail. */
const MAX_TRIES = 100;
/** The failures that begin a lock: the first one with the longest wait, and the last one that is taken. */
const LOCKING_TRIES: readonly number[] = [FREE_TRIES + MAX_DOUBLINGS + 1, MAX_TRIES];
/** `SignInJobs` forgets counters by then. */
const FORGOTTEN_MS = (7 * 24 + 1) * 3_600_000;

/**
 * Counts tries per account in the database, for all processes together. A try is counted before it is made, by one
 * statement that takes or refuses it: no more than allowed get through together. A wait that ends later than the longest
 * of its kind has ended: a clock was ahead when it was written.
 */
@Injectable()
export class AccountTries {
  private readonly key: Buffer;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly dialect: Dialect,
    private readonly time: AgreedTime,
    private readonly clock: Clock,
    keys: AppKeys,
  ) {
    this.key = keys.key('counter');
  }

  /**
   * Takes a try that counts as a failure until {@link forget} is called. From the fifth on every try has to wait:
   * a second, two, four, up to a quarter of an hour.
   *
   * @returns whether the account is locked if this try fails
   * @throws {DomainError} `too_many_requests` with the seconds to wait
   */
  async takeWithDelay(counter: CounterName, account: string): Promise<boolean> {
    const now = this.clock.now();
    const id = this.idOf(counter, account);
    const update: CounterUpdate = [
      // The free ones look at no time: another process may have written one that is a moment ahead of ours.
      `UPDATE auth_counters
          SET ends_at = CASE WHEN tries < ${FREE_TRIES} THEN ?
                             WHEN tries >= ${FREE_TRIES + MAX_DOUBLINGS} THEN ?
                             ELSE ? + (1 << (tries - ${FREE_TRIES})) * 1000 END,
              tries = tries + 1
        WHERE id = ? AND (tries <= ${FREE_TRIES} OR ends_at <= ?) AND tries < ${MAX_TRIES}`,
      [now, now + MAX_WAIT_SECONDS * 1_000, now, id, now],
      MAX_WAIT_SECONDS * 1_000,
    ];
    const tries = await this.unitOfWork.run((manager) => this.takeWithin(manager, id, update), REPEATABLE);
    if (tries === null) throw await this.delay(id);
    return LOCKING_TRIES.includes(tries);
  }

  /** Takes one of the tries of the present window; the first one begins it. @returns whether there was one left */
  async takeOf(counter: CounterName, account: string, quota: Quota): Promise<boolean> {
    return (await this.triesOf(counter, account, quota)) !== null;
  }

  /** Refuses if none is left, and takes none. @throws {DomainError} `too_many_requests` */
  async requireLeft(counter: CounterName, account: string, { limit, seconds }: Quota): Promise<void> {
    const id = this.idOf(counter, account);
    const row = await this.read(id);
    if (row && row.endsAt > this.clock.now() && row.tries >= limit) {
      const hasEnded = await this.unitOfWork.run((manager) => this.endAhead(manager, id, seconds * 1_000), REPEATABLE);
      if (!hasEnded) throw await this.refusal(id, seconds);
    }
  }

  /** @returns how many of the window are taken now; `null`: there was none left */
  private triesOf(counter: CounterName, account: string, quota: Quota): Promise<number | null> {
    return this.unitOfWork.run((manager) => this.takeOfWithin(manager, counter, account, quota), REPEATABLE);
  }

  /** {@link takeOf} in a unit of work. @returns how many of the window are taken by now; `null`: there was none left */
  takeOfWithin(manager: EntityManager, counter: CounterName, account: string, quota: Quota): Promise<number | null> {
    const id = this.idOf(counter, account);
    return this.takeWithin(manager, id, this.windowed(id, quota));
  }

  /**
   * {@link takeOf}, refusing if there is none.
   *
   * @returns whether it was the last one
   * @throws {DomainError} `too_many_requests`
   */
  async requireOf(counter: CounterName, account: string, quota: Quota, refused = tooManyTries): Promise<boolean> {
    const tries = await this.triesOf(counter, account, quota);
    if (tries === null) throw await this.refusal(this.idOf(counter, account), quota.seconds, refused);
    return tries >= quota.limit;
  }

  /** Gives back a try that could not be made, or was a good one. The window ends if it was the only one. */
  async giveBack(counter: CounterName, account: string): Promise<void> {
    const taken = { id: this.idOf(counter, account), tries: MoreThan(0) };
    // MySQL assigns from left to right: `ends_at` has to look at the former `tries`.
    const less = { endsAt: () => 'CASE WHEN tries = 1 THEN 0 ELSE ends_at END', tries: () => 'tries - 1' };
    await this.unitOfWork.run((manager) => manager.update(Counter, taken, less), REPEATABLE);
  }

  /** Begins to count from zero: the tries turned out to be good ones. */
  async forget(counter: CounterName, account: string): Promise<void> {
    await this.unitOfWork.run((manager) => this.forgetWithin(manager, counter, account), REPEATABLE);
  }

  /** {@link forget} in a unit of work. */
  async forgetWithin(manager: EntityManager, counter: CounterName, account: string): Promise<void> {
    await manager.delete(Counter, { id: this.idOf(counter, account) });
  }

  /** The row is made when it is first taken from. */
  private async takeWithin(manager: EntityManager, id: string, [sql, values, longestMs]: CounterUpdate) {
    if ((await execute(manager, sql, values)).affected > 0) return triesAt(manager, id);
    const insert = `${this.dialect.insertOrIgnore} INTO auth_counters (id, tries, ends_at) VALUES (?, 0, 0)`;
    const isNew = (await execute(manager, insert, [id])).affected > 0;
    if (!isNew && (await this.endAhead(manager, id, longestMs))) await execute(manager, insert, [id]);
    return (await execute(manager, sql, values)).affected > 0 ? triesAt(manager, id) : null;
  }

  /** Ends a wait that is longer than it can be. */
  private async endAhead(manager: EntityManager, id: string, longestMs: number): Promise<boolean> {
    return (await manager.delete(Counter, { id, endsAt: this.time.ahead(longestMs) })).affected !== 0;
  }

  private read(id: string): Promise<Counter | null> {
    return this.unitOfWork.run((manager) => manager.findOneBy(Counter, { id }), REPEATABLE);
  }

  private idOf(counter: CounterName, account: string): string {
    return createHmac('sha256', this.key).update(`${counter}\n${account}`).digest('hex');
  }

  private windowed(id: string, { limit, seconds }: Quota): CounterUpdate {
    const now = this.clock.now();
    const sql = `UPDATE auth_counters
          SET tries = CASE WHEN ends_at <= ? THEN 1 ELSE tries + 1 END,
              ends_at = CASE WHEN ends_at <= ? THEN ? ELSE ends_at END
        WHERE id = ? AND (ends_at <= ? OR tries < ?)`;
    return [sql, [now, now, now + seconds * 1_000, id, now, limit], seconds * 1_000];
  }

  private async refusal(id: string, fallbackSeconds: number, refused = tooManyTries): Promise<DomainError> {
    const row = await this.read(id);
    return refused(this.secondsUntil(row?.endsAt ?? 0) ?? fallbackSeconds);
  }

  private async delay(id: string): Promise<DomainError> {
    const { tries = 0, endsAt = 0 } = (await this.read(id)) ?? {};
    if (tries < MAX_TRIES) return tooManyTries(this.secondsUntil(endsAt) ?? MAX_WAIT_SECONDS);
    const seconds = this.secondsUntil(endsAt + FORGOTTEN_MS) ?? MAX_WAIT_SECONDS;
    const way = 'Choose a new one by mail: POST /api/auth/password/forgot.';
    return refusal(`${MAX_TRIES} wrong passwords in a row. ${way}`, seconds);
  }

  private secondsUntil(time: number): number | null {
    const left = Math.ceil((time - this.clock.now()) / 1_000);
    return left > 0 ? left : null;
  }
}

async function triesAt(manager: EntityManager, id: string): Promise<number> {
  return (await manager.findOneBy(Counter, { id }))?.tries ?? 0;
}

/**
 * Writes down that failures begin to keep an account from a way to sign in. Not within the request, whose time must not
 * show that only the owner of an account gets a mail by that.
 */
@Injectable()
export class AccountLocks {
  private readonly queue: JobQueue;

  constructor(
    private readonly users: UsersService,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
    runner: JobRunner,
  ) {
    this.queue = runner.queueOf(this, 'a lock of an account could not be written to the audit');
  }

  /** Returns at once. To be called for addresses without an account as well. */
  begin(method: 'password' | 'code', emailKey: string, visitor: Visitor): void {
    void this.queue.start(() => this.write(method, emailKey, visitor));
  }

  private async write(method: 'password' | 'code', emailKey: string, visitor: Visitor): Promise<void> {
    const account = await this.users.findByKey(emailKey);
    const whose = account ? { userId: account.id, email: account.email } : { typedEmail: emailKey };
    await this.unitOfWork.run((manager) =>
      this.audit.add(manager, { event: 'account.locked', outcome: 'failure', ...whose, visitor, details: { method } }),
    );
  }
}
