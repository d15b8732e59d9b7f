import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import {
  Metrics,
  type Counter as CounterOf,
  type Histogram as HistogramOf,
  type HistogramDefinition,
  type Labels,
  type MetricDefinition,
  type Sample,
} from '../common/metrics/metrics.js';

/** Longer than this the reading of the metrics waits for no value, so that a database that hangs is seen in the others. */
const READ_LIMIT_MS = 2_000;

/** Metrics for Prometheus. */
export class PrometheusMetrics extends Metrics {
  readonly isOn = true;
  private readonly registry = new Registry();
  private readonly counters = new Map<string, Counter>();
  private readonly histograms = new Map<string, Histogram>();

  constructor() {
    super();
    collectDefaultMetrics({ register: this.registry });
  }

  counter<Values extends Labels>({ name, help, labels }: MetricDefinition<Values>): CounterOf<Values> {
    const counter = this.counters.get(name) ?? new Counter({ ...this.declared(name, help), labelNames: labels });
    this.counters.set(name, counter);
    return {
      add: (values, amount = 1) => {
        counter.inc(values, amount);
      },
    };
  }

  histogram<Values extends Labels>({ name, help, labels, buckets }: HistogramDefinition<Values>): HistogramOf<Values> {
    const histogram =
      this.histograms.get(name) ??
      new Histogram({ ...this.declared(name, help), labelNames: labels, buckets: [...buckets] });
    this.histograms.set(name, histogram);
    return {
      observe: (values, value) => {
        histogram.observe(values, value);
      },
    };
  }

  gauge<Values extends Labels>(
    { name, help, labels }: MetricDefinition<Values>,
    read: () => readonly Sample<Values>[] | Promise<readonly Sample<Values>[]>,
  ): void {
    const gauge: Gauge = new Gauge({
      ...this.declared(name, help),
      labelNames: labels,
      collect: async () => {
        const samples = await inTime(read);
        gauge.reset();
        // Without labels a reset makes it 0, which would be a value.
        if (labels.length === 0) gauge.remove({});
        for (const sample of samples) gauge.set(sample.labels, sample.value);
      },
    });
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  private declared(name: string, help: string) {
    return { name, help, registers: [this.registry] };
  }
}

/** No value where it cannot be read: the others are wanted most when something is wrong. */
async function inTime<Read>(read: () => readonly Read[] | Promise<readonly Read[]>): Promise<readonly Read[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Read[]>((resolve) => {
    timer = setTimeout(() => {
      resolve([]);
    }, READ_LIMIT_MS);
  });
  try {
    return await Promise.race([read(), late]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}
