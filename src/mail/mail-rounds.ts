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
import { asUnavailable } from '../database/database-error.js';

/** How soon mails of other processes are seen, and those that are to be tried again. */
const EVERY_MS = 1_000;
/** A letter of this process is looked for that often, for so long: its unit of work is about to commit. */
const HURRY_EVERY_MS = 20;
const HURRY_MS = 500;
/** How long a stop waits for mails under way, and then for them to be broken off. */
const STOP_MS = 3_000;
const BREAK_MS = 1_000;
const FAILURE = 'queued mails were not sent: they wait for the next round';

/** Takes mails out of the queue, a few at a time, and never within a request. */
@Injectable()
export class MailRounds implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly jobs: JobQueue;
  /** Attempts, and the mails that they are for. */
  private readonly underWay = new Map<Promise<void>, ClaimedMail>();
  private hurryUntil = 0;
  private isHurrying = false;

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

  /** Looks more often for a while: this process has put a letter into the queue. */
  hurry(): void {
    this.hurryUntil = performance.now() + HURRY_MS;
    if (this.isHurrying) return;
    this.isHurrying = true;
    void this.jobs.start(() => this.rush());
  }

  private async rush(): Promise<void> {
    try {
      while (performance.now() < this.hurryUntil && !this.jobs.isStopping) {
        await sleep(HURRY_EVERY_MS);
        await this.round();
      }
    } finally {
      this.isHurrying = false;
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
