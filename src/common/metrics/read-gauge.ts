import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type GaugeConfiguration } from 'prom-client';

/** A value, or one for each combination of labels. */
type Reading<Label extends string> =
  number | readonly { readonly labels: Readonly<Record<Label, string>>; readonly value: number }[];

/** Longer than this the reading of the metrics waits for no value, so that a database that hangs is seen in the others. */
const READ_LIMIT_MS = 2_000;

/**
 * Declares a value that is read with the metrics.
 *
 * @param read if it fails or takes longer than two seconds, there is no value: the others are wanted most then
 */
export function readGauge<Label extends string>(
  configuration: GaugeConfiguration<Label>,
  read: () => Reading<Label> | Promise<Reading<Label>>,
): void {
  new Gauge({
    ...configuration,
    async collect() {
      const reading = Promise.resolve().then(read);
      const values = await Promise.race([reading, sleep(READ_LIMIT_MS, [], { ref: false })]).catch(() => []);
      this.reset();
      // Without labels a reset makes it 0, which would be a value.
      this.remove({});
      if (typeof values === 'number') this.set(values);
      else for (const { labels, value } of values) this.set(labels, value);
    },
  });
}
