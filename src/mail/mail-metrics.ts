import { Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';
import { IsNull, LessThan } from 'typeorm';
import { Clock } from '../common/clock.js';
import { readGauge } from '../common/metrics/read-gauge.js';
import { Reads, type Reader } from '../database/statements/reads.js';
import { QueuedMail } from './queued-mail.entity.js';

const LATE_MS = 5 * 60_000;
/** A mail that is in hand is taken by another process when its lease of 12 s is over; long after that there is none. */
const ABANDONED_MS = 60_000;

/** Mails that have not left: `late` ones wait for more than five minutes, the process of `abandoned` ones has died. */
type Backlog = Readonly<Record<'sending' | 'waiting' | 'late' | 'abandoned', number>>;

/** Shows the queue of mails, which all processes share. */
@Injectable()
export class MailMetrics {
  constructor(reads: Reads, clock: Clock, registry: Registry) {
    readGauge(
      {
        name: 'cms_mail_queue',
        help: 'Mails that have not left: in hand, waiting, or waiting for more than five minutes.',
        labelNames: ['state'],
        registers: [registry],
      },
      async () => {
        const { sending, waiting, late } = await mailBacklog(reads, clock.now());
        return [
          { labels: { state: 'sending' }, value: sending },
          { labels: { state: 'waiting' }, value: waiting - late },
          { labels: { state: 'late' }, value: late },
        ];
      },
    );
  }
}

/** @param now milliseconds since 1970, UTC */
export async function mailBacklog(reader: Reader, now: number): Promise<Backlog> {
  // An aggregate without groups has one row.
  const [sums] = (await reader.select(
    `SELECT SUM(claimed_by IS NOT NULL) AS sending, SUM(claimed_by IS NULL) AS waiting,
       SUM(claimed_by IS NULL AND created_at < ?) AS late,
       SUM(claimed_by IS NOT NULL AND due_at < ?) AS abandoned FROM mail_queue`,
    [now - LATE_MS, now - ABANDONED_MS],
  )) as [Record<keyof Backlog, number | string | null>];
  return {
    sending: Number(sums.sending),
    waiting: Number(sums.waiting),
    late: Number(sums.late),
    abandoned: Number(sums.abandoned),
  };
}

/** The outcome of the last try of the oldest late mail; `null`: none was made. */
export async function lastMailError(reader: Reader, now: number): Promise<string | null> {
  const oldest = await reader.of(QueuedMail).findOne({
    select: { id: true, lastError: true },
    where: { claimedBy: IsNull(), createdAt: LessThan(now - LATE_MS) },
    order: { createdAt: 'ASC' },
  });
  return oldest?.lastError ?? null;
}
