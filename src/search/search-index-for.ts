import type { Logger } from 'pino';
import type { Metrics } from '../common/metrics/metrics.js';
import type { Dialect } from '../database/dialect/dialect.js';
import type { Reads } from '../database/statements/reads.js';
import type { UnitOfWork } from '../database/units/unit-of-work.js';
import { Fts5SearchIndex } from './fts5/fts5-search-index.js';
import { FulltextSearchIndex } from './fulltext/fulltext-search-index.js';
import { LocalSearchIndex } from './local/local-search-index.js';
import type { Cluster } from './opensearch/cluster/cluster.js';
import type { DatabaseIdentity } from './opensearch/database-identity.js';
import { OpenSearchIndex } from './opensearch/open-search-index.js';

/** An outage of OpenSearch that is no longer is caught up with what was changed; after a longer one it is fed from the beginning. */
const FED_AFTER_MS = 24 * 3_600_000;

interface IndexSources {
  readonly dialect: Dialect;
  readonly reads: Reads;
  readonly unitOfWork: UnitOfWork;
  /** For the local files of all processes; `null`: a server searches by itself. */
  readonly folder: string | null;
  /** OpenSearch; `null`: there is none. */
  readonly cluster: Cluster | null;
  readonly identity: DatabaseIdentity;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/**
 * A file is searched in threads of our own. A server does it by itself, unless its documents are kept in a file too, or
 * OpenSearch is there for it.
 */
export function searchIndexFor(sources: IndexSources) {
  const { dialect, reads, unitOfWork, folder, cluster, identity, log, metrics } = sources;
  if (dialect.fileForThreads !== null) return new Fts5SearchIndex(dialect.fileForThreads, reads);
  if (cluster !== null) {
    const database = new FulltextSearchIndex(reads, unitOfWork, FED_AFTER_MS);
    return new OpenSearchIndex({ cluster, reads, database, identity, now: dialect.now, log, metrics });
  }
  const database = new FulltextSearchIndex(reads, unitOfWork);
  return folder === null ? database : new LocalSearchIndex({ reads, database, folder, now: dialect.now, log });
}
