import type { Logger } from 'pino';
import type { Metrics } from '../../common/metrics/metrics.js';
import type { Reads } from '../../database/statements/reads.js';
import { BulkWrites } from './bulk-writes.js';
import { IndexFeed } from './index-feed.js';
import type { OpenSearchIndex } from './open-search-index.js';

interface FeedParts {
  readonly reads: Reads;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** The feed of an index. */
export function feedOf(index: OpenSearchIndex, { reads, log, metrics }: FeedParts): IndexFeed {
  const { cluster, generations } = index;
  const refusals = metrics.counter({
    name: 'cms_search_refused_documents_total',
    help: 'Documents that OpenSearch refused for good: their records are not found.',
    labels: [],
  });
  return new IndexFeed({
    cluster,
    reads,
    log,
    generations,
    writes: new BulkWrites(cluster, log, refusals),
    noteNothing: () => index.noteNothing(),
  });
}
