import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { randomUUID } from 'node:crypto';
import { In, LessThanOrEqual, Not, Or, type EntityManager, type FindOperator } from 'typeorm';
import { Clock } from '../common/clock.js';
import { seal, unsealWithAny } from '../common/seal.js';
import { AppKeys } from '../config/values/app-keys.js';
import { AgreedTime } from '../database/units/agreed-time.js';
import type { ReadRepository } from '../database/statements/reads.js';
import { insertRow } from '../database/statements/statement.js';
import { UnitOfWork } from '../database/units/unit-of-work.js';
import type { Letter } from './letter.js';
import { QueuedMail } from './queued-mail.entity.js';

/** A mail that this process has in hand, this attempt counted. */
export type ClaimedMail = Omit<QueuedMail, 'dueAt' | 'claimedBy'>;

/** The parts of a mail that are kept, encrypted: the database alone is not enough to read it. */
interface SealedMail {
  readonly id: string;
  /** `null`: a letter without an addressee. */
  readonly to: string | null;
  readonly letter: Letter;
}

/** The time for which a letter is worth sending that does not say so itself. */
const LIFE_MS = 24 * 3_600_000;
/** No mail arrives there: accounts have such an address that an issuer or a directory has left without one. @see RFC 2606 */
const NOWHERE = /\.invalid$/i;
/** A process that has died keeps its mails from the others for so long. One that lives renews the lease of an attempt. */
const LEASE_MS = 12_000;
/** The interval of renewals: two of them may fail. */
export const RENEW_MS = 4_000;
export const LONGEST_PAUSE_MS = 3_600_000;

/** The mailbox into which the rest of the service posts its letters. A mail is in the hands of one process at a time. */
@Injectable()
export class MailQueue {
  private readonly owner = randomUUID();
  private dispatch: () => void = () => undefined;

  constructor(
    @InjectRepository(QueuedMail) private readonly mails: ReadRepository<QueuedMail>,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly time: AgreedTime,
    private readonly keys: AppKeys,
  ) {}

  /** Has something done whenever this process has committed a letter. To be called at start. */
  onPosted(dispatch: () => void): void {
    this.dispatch = dispatch;
  }

  /**
   * Puts a letter into the queue as part of the caller's unit of work. One to a domain below `.invalid` is not queued. It is
   * sealed, since the codes and links in it are hashed everywhere else.
   *
   * @param to `null`: none, which does the same work, so that an answer takes as long for an address without an account
   * @param options.expiresAt milliseconds since 1970, UTC; left out: after a day
   */
  async add(
    manager: EntityManager,
    to: string | null,
    letter: Letter,
    { expiresAt = this.clock.now() + LIFE_MS }: { readonly expiresAt?: number } = {},
  ): Promise<void> {
    if (to !== null && NOWHERE.test(to)) return;
    const mail: SealedMail = { id: randomUUID(), to, letter };
    const content = seal(this.keys.key('mail'), JSON.stringify(mail));
    const dueAt = (): string => this.time.expression;
    await insertRow(manager, QueuedMail, { content, dueAt, expiresAt, attempts: 0, createdAt: this.clock.now() });
    this.unitOfWork.afterCommit(() => {
      this.dispatch();
    });
  }

  /** `null` where it was sealed with another secret than `APP_SECRET` and `APP_SECRET_OLD`, or changed since. */
  open({ content }: ClaimedMail): SealedMail | null {
    const text = unsealWithAny(this.keys.keys('mail'), content);
    // What opens with our key is what we have sealed.
    return text === null ? null : (JSON.parse(text) as SealedMail);
  }

  /** Takes due mails in hand, the oldest first. @param inHand of this process: their lease may be over */
  async claim(limit: number, inHand: readonly Pick<ClaimedMail, 'id'>[]): Promise<ClaimedMail[]> {
    const ours = inHand.map(({ id }) => id);
    const dueAt = this.isDue(this.clock.now());
    const due = await this.mails.find({
      select: { id: true },
      where: { dueAt, id: Not(In(ours)) },
      order: { dueAt: 'ASC' },
      take: limit,
    });
    if (due.length === 0) return [];
    const ids = await this.take(due.map(({ id }) => id).sort((a, b) => a - b));
    return ids.length === 0 ? [] : this.mails.find({ where: { id: In(ids) }, order: { id: 'ASC' } });
  }

  private async take(ids: readonly number[]): Promise<number[]> {
    const now = await this.time.now();
    const isDue = this.isDue(now);
    const claim = { claimedBy: this.owner, dueAt: now + LEASE_MS, attempts: () => 'attempts + 1' };
    return this.unitOfWork.run(async (manager) => {
      const taken: number[] = [];
      for (const id of ids) {
        const { affected } = await manager.update(QueuedMail, { id, dueAt: isDue }, claim);
        if (affected !== 0) taken.push(id);
      }
      return taken;
    });
  }

  /** No mail waits longer than the longest pause, whatever was written. */
  private isDue(now: number): FindOperator<number> {
    return Or(LessThanOrEqual(now), this.time.ahead(LONGEST_PAUSE_MS));
  }

  async renew(mails: readonly Pick<ClaimedMail, 'id'>[]): Promise<void> {
    if (mails.length === 0) return;
    const ids = mails.map(({ id }) => id).sort((a, b) => a - b);
    const dueAt = (await this.time.now()) + LEASE_MS;
    const ours = { id: In(ids), claimedBy: this.owner };
    await this.unitOfWork.run((manager) => manager.update(QueuedMail, ours, { dueAt }));
  }

  /** Forgets a mail: it has left, or never will. */
  async remove({ id }: ClaimedMail): Promise<void> {
    await this.unitOfWork.run((manager) => manager.delete(QueuedMail, { id, claimedBy: this.owner }));
  }

  /** Lets a mail out of hand until it is time for another attempt. */
  async postpone({ id }: ClaimedMail, dueAt: number, lastError: string | null): Promise<void> {
    const ours = { id, claimedBy: this.owner };
    await this.unitOfWork.run((manager) => manager.update(QueuedMail, ours, { dueAt, lastError, claimedBy: null }));
  }
}
