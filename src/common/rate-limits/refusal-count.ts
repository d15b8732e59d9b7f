import { Injectable } from '@nestjs/common';
import { Metrics, type Counter } from '../metrics/metrics.js';
import type { Budget } from './budgets.js';

/** Counts requests that were refused since a budget was spent, by that budget. */
@Injectable()
export class RefusalCount {
  private readonly counter: Counter<Record<'budget', Budget>>;

  constructor(metrics: Metrics) {
    this.counter = metrics.counter({
      name: 'cms_rate_limited_total',
      help: 'Requests that were refused since a budget was spent.',
      labels: ['budget'],
    });
  }

  add(budget: Budget): void {
    this.counter.add({ budget });
  }
}
