import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { JobQueue } from '../common/jobs/job-queue.js';
import { LOG } from '../common/logging/logging.module.js';
import { isMailAddress } from '../common/text/mail-address.js';
import { Settings } from '../config/settings.js';
import { asUnavailable } from '../database/dialect/database-error.js';
import { AgreedTime } from '../database/units/agreed-time.js';
import type { Letter } from './letter.js';
import { LONGEST_PAUSE_MS, MailQueue, RENEW_MS, type ClaimedMail } from './mail-queue.js';
import { MailRefusedError, MailTransport } from './transports/mail-transport.js';
import { MAX_CONNECTIONS } from './transports/smtp-transport.js';

/** Interval of polls for mails of other processes and for retries. */
const EVERY_MS = 1_000;
const FIRST_PAUSE_MS = 2_000;
const MAX_REASON = 200;
/** The time for which a stop waits for mails under way, and then for them to be broken off. */
const STOP_MS = 3_000;
const BREAK_MS = 1_000;
const FAILURE = 'queued mails were not sent: they wait for the next round';

/** Dispatches due mails, a few at a time and never within a request. */
@Injectable()
export class MailDispatcher implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly jobs: JobQueue;
  /** Attempts, and the mails that they are for. */
  private readonly underWay = new Map<Promise<void>, ClaimedMail>();
  private isRoundAhead = false;

  constructor(
    private readonly queue: MailQueue,
    private readonly transport: MailTransport,
    private readonly time: AgreedTime,
    private readonly settings: Settings,
    @Inject(LOG) private readonly log: Logger,
  ) {
    this.jobs = new JobQueue(log, FAILURE, asUnavailable);
    queue.onPosted(() => {
      this.startRound();
    });
  }

  onApplicationBootstrap(): void {
    if (this.settings.mode === 'production' && this.settings.mail.transport === 'file') {
      this.log.warn('SMTP_URL is not set: mails are written into the folder outbox and reach nobody');
    }
    this.jobs.every(EVERY_MS, () => this.round());
    this.jobs.every(RENEW_MS, () => this.queue.renew(this.inHand()));
  }

  /** Waits for mails under way, but not for ever; the others stay in the queue for the next process. */
  async onModuleDestroy(): Promise<void> {
    await this.jobs.stop();
    await this.settled(STOP_MS);
    this.transport.close();
    await this.settled(BREAK_MS);
  }

  async attempt(mail: ClaimedMail): Promise<void> {
    const opened = this.queue.open(mail);
    if (!opened) {
      this.log.error({ mail: mail.id }, 'a mail cannot be read and is dropped: APP_SECRET is not what it was');
    } else if (opened.to !== null && !(await this.isDone(mail, opened.id, opened.to, opened.letter))) {
      return;
    }
    await this.queue.remove(mail);
  }

  private startRound(): void {
    if (this.isRoundAhead) return;
    this.isRoundAhead = true;
    void this.jobs.start(() => {
      this.isRoundAhead = false;
      return this.round();
    });
  }

  private async round(): Promise<void> {
    const free = MAX_CONNECTIONS - this.underWay.size;
    if (free === 0) return;
    for (const mail of await this.queue.claim(free, this.inHand())) this.begin(mail);
  }

  private inHand(): ClaimedMail[] {
    return [...this.underWay.values()];
  }

  private begin(mail: ClaimedMail): void {
    const attempt = this.attempt(mail)
      .catch((err: unknown) => {
        // The mail stays in the queue, and in the hands of this process until the lease ends.
        this.log.error({ err, mail: mail.id }, FAILURE);
      })
      .finally(() => {
        this.underWay.delete(attempt);
        this.startRound();
      });
    this.underWay.set(attempt, mail);
  }

  private async isDone(mail: ClaimedMail, id: string, to: string, letter: Letter): Promise<boolean> {
    if (mail.expiresAt <= (await this.time.now())) return this.giveUp(mail, to, mail.lastError);
    try {
      if (!isMailAddress(to)) throw new MailRefusedError('This is no address that mail can be sent to.');
      await this.transport.send({ id, to, letter, createdAt: mail.createdAt });
      this.log.info({ mail: mail.id, attempts: mail.attempts }, this.transport.done);
      return true;
    } catch (error) {
      // The failure is our own doing.
      if (this.jobs.isStopping) return this.putBack(mail, await this.time.now(), mail.lastError);
      const reason = reasonOf(error, letter);
      return error instanceof MailRefusedError ? this.giveUp(mail, to, reason) : this.tryLater(mail, to, reason);
    }
  }

  private async tryLater(mail: ClaimedMail, to: string, reason: string): Promise<boolean> {
    const now = await this.time.now();
    const dueAt = now + pauseAfter(mail.attempts);
    if (dueAt >= mail.expiresAt) return this.giveUp(mail, to, reason);
    this.log.warn(
      { mail: mail.id, attempts: mail.attempts, again_in_s: Math.ceil((dueAt - now) / 1_000), reason },
      'a mail could not be sent yet',
    );
    return this.putBack(mail, dueAt, reason);
  }

  private async putBack(mail: ClaimedMail, dueAt: number, reason: string | null): Promise<boolean> {
    await this.queue.postpone(mail, dueAt, reason);
    return false;
  }

  private giveUp({ id, attempts }: ClaimedMail, to: string, reason: string | null): boolean {
    this.log.error({ mail: id, to, attempts, reason }, 'a mail could not be delivered and is dropped');
    return true;
  }

  private async settled(ms: number): Promise<void> {
    const limit = new AbortController();
    await Promise.race([
      Promise.all(this.underWay.keys()),
      sleep(ms, undefined, { signal: limit.signal }).catch(() => undefined),
    ]);
    limit.abort();
  }
}

/** The wait after so many attempts, milliseconds: twice as long each time, and somewhat at random. */
export function pauseAfter(attempts: number, chance: number = Math.random()): number {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempts - 1));
  return Math.round(pause * (0.5 + chance / 2));
}

/** A failure in a few words, without links and codes: filters like to quote. */
export function reasonOf(error: unknown, { code }: Letter): string {
  const message = error instanceof Error ? error.message : String(error);
  const withoutLinks = message.replace(/[\p{Cc}\s]+/gu, ' ').replace(/https?:\/\/\S+/gi, '(link)');
  const safe = code === undefined || code === '' ? withoutLinks : withoutLinks.replaceAll(code, '(code)');
  return safe.slice(0, MAX_REASON);
}
