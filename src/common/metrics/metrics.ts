import { setTimeout as sleep } from 'node:timers/promises';
import type * as prometheus from 'prom-client';

/** Values of labels by their names. Each label takes the values of a closed set, never an id, a type or a caller. */
export type Labels = Readonly<Record<string, string>>;

/** A metric as it is shown: a name of Prometheus, and one sentence about it. */
export interface MetricDefinition<Values extends Labels> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly (keyof Values & string)[];
}

/** A metric of durations or sizes; `buckets` are the upper ends that are counted, ascending. */
export interface HistogramDefinition<Values extends Labels> extends MetricDefinition<Values> {
  readonly buckets: readonly number[];
}

export interface Counter<Values extends Labels> {
  add(labels: Values, amount?: number): void;
}

export interface Histogram<Values extends Labels> {
  observe(labels: Values, value: number): void;
}

export interface Sample<Values extends Labels> {
  readonly labels: Values;
  readonly value: number;
}

type Read<Values extends Labels> = () => readonly Sample<Values>[] | Promise<readonly Sample<Values>[]>;

/** Longer than this the reading of the metrics waits for no value, so that a database that hangs is seen in the others. */
const READ_LIMIT_MS = 2_000;

/** Measurements for Prometheus. Each part declares its own when it is made; a name declared twice is one metric. */
export class Metrics {
  private readonly registry: prometheus.Registry | undefined;

  /** @param library left out: nothing is kept */
  constructor(private readonly library?: typeof prometheus) {
    this.registry = library && new library.Registry();
    library?.collectDefaultMetrics({ register: this.registry });
  }

  /** True if anything is kept. Where not, what costs time can be left out. */
  get isOn(): boolean {
    return this.library !== undefined;
  }

  counter<Values extends Labels>(definition: MetricDefinition<Values>): Counter<Values> {
    const counter = this.declared<prometheus.Counter>(definition, (library, options) => new library.Counter(options));
    return {
      add: (values, amount = 1) => {
        counter?.inc(values, amount);
      },
    };
  }

  histogram<Values extends Labels>(definition: HistogramDefinition<Values>): Histogram<Values> {
    const buckets = [...definition.buckets];
    const histogram = this.declared<prometheus.Histogram>(
      definition,
      (library, options) => new library.Histogram({ ...options, buckets }),
    );
    return {
      observe: (values, value) => {
        histogram?.observe(values, value);
      },
    };
  }

  /** A value that is read with the metrics. @param read if it fails or takes longer than two seconds, there is no value */
  gauge<Values extends Labels>(definition: MetricDefinition<Values>, read: Read<Values>): void {
    this.declared<prometheus.Gauge>(definition, (library, options) => {
      const gauge: prometheus.Gauge = new library.Gauge({
        ...options,
        collect: () => collect(gauge, definition, read),
      });
      return gauge;
    });
  }

  /** All metrics as Prometheus reads them. @see https://prometheus.io/docs/instrumenting/exposition_formats/ */
  text(): Promise<string> {
    return this.registry?.metrics() ?? Promise.resolve('');
  }

  private declared<Metric extends prometheus.Metric>(
    { name, help, labels }: { readonly name: string; readonly help: string; readonly labels: readonly string[] },
    make: (library: typeof prometheus, options: prometheus.MetricConfiguration<string>) => Metric,
  ): Metric | undefined {
    if (!this.library || !this.registry) return undefined;
    // A name stands for one kind of metric.
    const known = this.registry.getSingleMetric(name) as Metric | undefined;
    return known ?? make(this.library, { name, help, labelNames: [...labels], registers: [this.registry] });
  }
}

async function collect<Values extends Labels>(
  gauge: prometheus.Gauge,
  { labels }: MetricDefinition<Values>,
  read: Read<Values>,
): Promise<void> {
  const samples = await inTime(read);
  gauge.reset();
  // Without labels a reset makes it 0, which would be a value.
  if (labels.length === 0) gauge.remove({});
  for (const sample of samples) gauge.set(sample.labels, sample.value);
}

/** No value if it cannot be read: the others are wanted most when something is wrong. */
function inTime<Values extends Labels>(read: Read<Values>): Promise<readonly Sample<Values>[]> {
  const reading = new Promise<readonly Sample<Values>[]>((resolve) => {
    resolve(read());
  });
  return Promise.race([reading, sleep(READ_LIMIT_MS, [], { ref: false })]).catch(() => []);
}

export function single(value: number): readonly Sample<Labels>[] {
  return [{ labels: {}, value }];
}
