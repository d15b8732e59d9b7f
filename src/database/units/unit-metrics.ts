import { DomainError } from '../../common/errors/domain-error.js';
import type { Counter, Histogram, Labels, Metrics } from '../../common/metrics/metrics.js';
import { isRetryable } from '../dialect/database-error.js';

/** Seconds. */
const BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];

/** Measures units of work: how long they take, waiting and tries included, and why they run again. */
export class UnitMetrics {
  private readonly durations: Histogram<Labels>;
  private readonly retries: Counter<Record<'reason', 'conflict' | 'late' | 'server'>>;
  private readonly isOn: boolean;

  constructor(metrics: Metrics) {
    this.isOn = metrics.isOn;
    this.durations = metrics.histogram({
      name: 'cms_db_unit_seconds',
      help: 'Units of work, waiting and further tries included.',
      labels: [],
      buckets: BUCKETS,
    });
    this.retries = metrics.counter({
      name: 'cms_db_retries_total',
      help: 'Units of work that ran again: they lost against another one, came too late, or lost their server.',
      labels: ['reason'],
    });
  }

  async timed<Result>(done: Promise<Result>): Promise<Result> {
    if (!this.isOn) return done;
    const start = performance.now();
    try {
      return await done;
    } finally {
      this.durations.observe({}, (performance.now() - start) / 1_000);
    }
  }

  /** @param error for which a unit runs again */
  again(error: unknown): void {
    const lost = isRetryable(error) ? 'conflict' : 'server';
    this.retries.add({ reason: error instanceof DomainError ? 'late' : lost });
  }
}
