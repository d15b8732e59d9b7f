import { single, type Metrics } from '../../common/metrics/metrics.js';
import type { Reader } from '../../database/statements/reads.js';
import type { Cluster } from './cluster.js';
import { ClusterError } from './cluster-error.js';
import { feedStateOf } from './fed-index.js';

/** Measures how far the index is behind the database. */
export class FeedLag {
  /** The last change of the index when OpenSearch last answered. */
  private row: number | null = null;

  /** @param now the time by the clock of the database, as SQL */
  constructor(
    private readonly cluster: Cluster,
    private readonly reader: Reader,
    private readonly now: string,
  ) {}

  measure(metrics: Metrics): void {
    metrics.gauge(
      {
        name: 'cms_search_lag_seconds',
        help: 'How long ago the oldest change was written that OpenSearch does not have yet; 0: it has all.',
        labels: [],
      },
      async () => {
        const seconds = await this.seconds();
        return seconds === null ? [] : single(seconds);
      },
    );
  }

  /**
   * Age of the oldest change that the index lacks. While OpenSearch does not answer, by its progress when it last did.
   *
   * @returns `null`: there is no index yet, or nothing is known of it
   */
  async seconds(): Promise<number | null> {
    await this.look();
    if (this.row === null) return null;
    const [found] = await this.reader.select<{ ms: number | string | null }>(
      `SELECT ${this.now} - at AS ms FROM search_changes WHERE id > ? ORDER BY id LIMIT 1`,
      [this.row],
    );
    return Math.max(0, Number(found?.ms ?? 0)) / 1_000;
  }

  private async look(): Promise<void> {
    try {
      this.row = (await feedStateOf(this.cluster, this.cluster.alias))?.mark.row ?? null;
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
    }
  }
}
