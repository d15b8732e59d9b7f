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

/** Something that is counted, and only grows. */
export interface Counter<Values extends Labels> {
  add(labels: Values, amount?: number): void;
}

/** Something that is measured again and again. */
export interface Histogram<Values extends Labels> {
  observe(labels: Values, value: number): void;
}

/** A value as it is now. */
export interface Sample<Values extends Labels> {
  readonly labels: Values;
  readonly value: number;
}

/**
 * What the service measures of itself. Whatever has something to measure declares it here when it is made. A name that is
 * declared twice is one metric.
 */
export abstract class Metrics {
  /** Whether anything is kept. Where not, what costs time can be left out. */
  abstract readonly isOn: boolean;

  abstract counter<Values extends Labels>(definition: MetricDefinition<Values>): Counter<Values>;

  abstract histogram<Values extends Labels>(definition: HistogramDefinition<Values>): Histogram<Values>;

  /**
   * A value that is asked for when the metrics are read.
   *
   * @param read the values as they are now. Where it fails or takes longer than two seconds, the metric has none.
   */
  abstract gauge<Values extends Labels>(
    definition: MetricDefinition<Values>,
    read: () => readonly Sample<Values>[] | Promise<readonly Sample<Values>[]>,
  ): void;

  /** All metrics as Prometheus reads them. @see https://prometheus.io/docs/instrumenting/exposition_formats/ */
  abstract text(): Promise<string>;
}

/** The values of a gauge without labels. */
export function single(value: number): readonly Sample<Labels>[] {
  return [{ labels: {}, value }];
}
