import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Metrics, type Sample } from '../common/metrics/metrics.js';
import { Reads } from '../database/statements/reads.js';
import { LATE_MS } from './backlog.js';

type State = 'sending' | 'waiting' | 'late';
type StateRow = Record<State, number | string | null>;

/** Shows the queue of mails, which all processes share. */
@Injectable()
export class MailMetrics {
  constructor(
    private readonly reads: Reads,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    metrics.gauge<Record<'state', State>>(
      {
        name: 'cms_mail_queue',
        help: 'Mails that have not left: in hand, waiting, or waiting for more than five minutes.',
        labels: ['state'],
      },
      () => this.states(),
    );
  }

  private async states(): Promise<Sample<Record<'state', State>>[]> {
    const lateBefore = this.clock.now() - LATE_MS;
    const [row] = await this.reads.select<StateRow>(
      `SELECT SUM(claimed_by IS NOT NULL) AS sending, SUM(claimed_by IS NULL AND created_at >= ?) AS waiting,
         SUM(claimed_by IS NULL AND created_at < ?) AS late FROM mail_queue`,
      [lateBefore, lateBefore],
    );
    return (['sending', 'waiting', 'late'] as const).map((state) => ({
      labels: { state },
      value: Number(row?.[state] ?? 0),
    }));
  }
}
