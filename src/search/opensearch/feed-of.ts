import type { Logger } from 'pino';
import type { Metrics } from '../../common/metrics/metrics.js';
import type { Dialect } from '../../database/dialect/dialect.js';
import type { Reads } from '../../database/statements/reads.js';
import { BulkWrites } from './bulk-writes.js';
import { FeedLag } from './feed-lag.js';
import { Generations } from './generations.js';
import { IndexFeed } from './index-feed.js';
import type { OpenSearchIndex } from './open-search-index.js';

interface FeedParts {
  readonly reads: Reads;
  readonly dialect: Pick<Dialect, 'now'>;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** What feeds an index, and shows how far behind it is. */
export function feedOf(index: OpenSearchIndex, { reads, dialect, log, metrics }: FeedParts): IndexFeed {
  const { cluster } = index;
  const refusals = metrics.counter({
    name: 'cms_search_refused_documents_total',
    help: 'Documents that OpenSearch refused for good: their records are not found.',
    labels: [],
  });
  new FeedLag(cluster, reads, dialect.now).measure(metrics);
  return new IndexFeed({
    cluster,
    reads,
    log,
    writes: new BulkWrites(cluster, log, refusals),
    identify: () => index.identify(),
    generations: new Generations(cluster),
  });
}
