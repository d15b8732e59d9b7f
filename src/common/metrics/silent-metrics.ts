import { Metrics, type Counter, type Histogram } from './metrics.js';

const COUNTER: Counter<never> = { add: () => undefined };
const HISTOGRAM: Histogram<never> = { observe: () => undefined };

/** Keeps nothing. */
export class SilentMetrics extends Metrics {
  readonly isOn = false;

  counter(): Counter<never> {
    return COUNTER;
  }

  histogram(): Histogram<never> {
    return HISTOGRAM;
  }

  gauge(): void {
    // Nothing reads it.
  }

  text(): Promise<string> {
    return Promise.resolve('');
  }
}
