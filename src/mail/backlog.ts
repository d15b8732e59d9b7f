import { IsNull, LessThan } from 'typeorm';
import type { Reader } from '../database/statements/reads.js';
import { QueuedMail } from './queued-mail.entity.js';

/** A mail that has not left for so long is late. */
export const LATE_MS = 5 * 60_000;
/** A mail that is in hand is taken by another process when its lease of 12 s is over; long after that there is none. */
const ABANDONED_MS = 60_000;

/** Mails that should have left. */
export interface Backlog {
  readonly waiting: number;
  /** Of these, the ones that wait for more than five minutes. */
  readonly late: number;
  /** In hand of a process that has died, and taken by no other one. */
  readonly abandoned: number;
  /** What the last try of the oldest late one ended with; `null`: none was made. */
  readonly lastError: string | null;
}

type Sums = Readonly<Record<'waiting' | 'late' | 'abandoned', number | string>>;

/** @param now milliseconds since 1970, UTC */
export async function mailBacklog(reader: Reader, now: number): Promise<Backlog> {
  const rows = await reader.select<Sums>(
    `SELECT COALESCE(SUM(claimed_by IS NULL), 0) AS waiting,
       COALESCE(SUM(claimed_by IS NULL AND created_at < ?), 0) AS late,
       COALESCE(SUM(claimed_by IS NOT NULL AND due_at < ?), 0) AS abandoned FROM mail_queue`,
    [now - LATE_MS, now - ABANDONED_MS],
  );
  const oldest = await reader.of(QueuedMail).findOne({
    select: { id: true, lastError: true },
    where: { claimedBy: IsNull(), createdAt: LessThan(now - LATE_MS) },
    order: { createdAt: 'ASC' },
  });
  // An aggregate without groups has one row.
  const [sums] = rows as [Sums];
  return {
    waiting: Number(sums.waiting),
    late: Number(sums.late),
    abandoned: Number(sums.abandoned),
    lastError: oldest?.lastError ?? null,
  };
}
