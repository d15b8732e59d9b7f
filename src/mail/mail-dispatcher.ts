import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { JobQueue } from '../common/jobs/job-queue.js';
import { LOG } from '../common/logging/logging.module.js';
import { Settings } from '../config/settings.js';
import { Delivery } from './delivery.js';
import { MailTransport } from './transports/mail-transport.js';
import { MAX_CONNECTIONS } from './transports/smtp-transport.js';
import { QueuedMails, RENEW_MS, type ClaimedMail } from './queued-mails.js';
import { asUnavailable } from '../database/dialect/database-error.js';

/** Interval of polls for mails of other processes and for retries. */
const EVERY_MS = 1_000;
/** Interval and duration of the polls after this process has queued a letter, whose unit of work is about to commit. */
const EXPEDITED_EVERY_MS = 20;
const EXPEDITED_MS = 500;
/** How long a stop waits for mails under way, and then for them to be broken off. */
const STOP_MS = 3_000;
const BREAK_MS = 1_000;
const FAILURE = 'queued mails were not sent: they wait for the next round';

/** Polls the queue and dispatches due mails, a few at a time and never within a request. */
@Injectable()
export class MailDispatcher implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly jobs: JobQueue;
  /** Attempts, and the mails that they are for. */
  private readonly underWay = new Map<Promise<void>, ClaimedMail>();
  private expeditedUntil = 0;
  private isExpediting = false;

  constructor(
    private readonly mails: QueuedMails,
    private readonly delivery: Delivery,
    private readonly transport: MailTransport,
    private readonly settings: Settings,
    @Inject(LOG) private readonly log: Logger,
  ) {
    this.jobs = new JobQueue(log, FAILURE, asUnavailable);
  }

  onApplicationBootstrap(): void {
    if (this.settings.mode === 'production' && this.settings.mail.transport === 'file') {
      this.log.warn('SMTP_URL is not set: mails are written into the folder outbox and reach nobody');
    }
    this.jobs.every(EVERY_MS, () => this.round());
    this.jobs.every(RENEW_MS, () => this.mails.renew(this.inHand()));
  }

  /** Waits for mails under way, but not for ever; the others stay in the queue for the next process. */
  async onModuleDestroy(): Promise<void> {
    await this.jobs.stop();
    await this.settled(STOP_MS);
    this.transport.close();
    await this.settled(BREAK_MS);
  }

  /** Polls more often for a while, since this process has queued a letter. */
  expedite(): void {
    this.expeditedUntil = performance.now() + EXPEDITED_MS;
    if (this.isExpediting) return;
    this.isExpediting = true;
    void this.jobs.start(() => this.pollOften());
  }

  private async pollOften(): Promise<void> {
    try {
      while (performance.now() < this.expeditedUntil && !this.jobs.isStopping) {
        await sleep(EXPEDITED_EVERY_MS);
        await this.round();
      }
    } finally {
      this.isExpediting = false;
    }
  }

  private async round(): Promise<void> {
    const free = MAX_CONNECTIONS - this.underWay.size;
    if (free === 0) return;
    for (const mail of await this.mails.claim(free, this.inHand())) this.begin(mail);
  }

  private inHand(): ClaimedMail[] {
    return [...this.underWay.values()];
  }

  private begin(mail: ClaimedMail): void {
    const attempt = this.delivery
      .attempt(mail, () => this.jobs.isStopping)
      .catch((err: unknown) => {
        // The mail stays in the queue, and in the hands of this process until the lease ends.
        this.log.error({ err, mail: mail.id }, FAILURE);
      })
      .finally(() => {
        this.underWay.delete(attempt);
        void this.jobs.start(() => this.round());
      });
    this.underWay.set(attempt, mail);
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
