import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { LOG } from '../common/logging/logging.module.js';
import { Metrics } from '../common/metrics/metrics.js';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { Settings } from '../config/settings.js';
import { ContentTypesModule } from '../content-types/content-types.module.js';
import { Dialect } from '../database/dialect/dialect.js';
import { Reads } from '../database/statements/reads.js';
import { UnitOfWork } from '../database/units/unit-of-work.js';
import { RecordsModule } from '../records/records.module.js';
import { TaxonomyModule } from '../taxonomy/taxonomy.module.js';
import { SearchRepair } from './checks/search-repair.js';
import { KnownWords } from './answers/known-words.js';
import { LocalStart } from './local/local-start.js';
import { Cluster } from './opensearch/cluster/cluster.js';
import { DatabaseIdentity } from './opensearch/database-identity.js';
import { feedOf } from './opensearch/feed-of.js';
import { Generations } from './opensearch/generations.js';
import { IndexFeed } from './opensearch/index-feed.js';
import { OpenSearchIndex } from './opensearch/open-search-index.js';
import { RecordBatches } from './indexing/record-batches.js';
import { Reindexing } from './indexing/reindexing.js';
import { IndexingJobs } from './indexing/indexing-jobs.js';
import { SearchHits } from './answers/search-hits.js';
import { searchIndexFor } from './search-index-for.js';
import { SearchIndex } from './search-index.js';
import { IndexingQueue } from './indexing/indexing-queue.js';
import { SearchListener } from './indexing/search-listener.js';
import { SearchMetrics } from './indexing/search-metrics.js';
import { SearchReindex } from './indexing/search-reindex.js';
import { SearchScope } from './answers/search-scope.js';
import { SearchController } from './search.controller.js';
import { SearchService } from './search.service.js';
import { Suggestions } from './answers/suggestions.js';
import { IndexReports } from './index-reports.js';
import { SearchFeed } from './search-feed.entity.js';
import { SearchJob } from './search-job.entity.js';
import { SearchWord } from './search-word.entity.js';

type IndexParts = [Dialect, Reads, UnitOfWork, Settings, Cluster | null, DatabaseIdentity, Logger, Metrics];
type FeedParts = [SearchIndex, Reads, Logger, Metrics];

@Module({
  imports: [
    ContentTypesModule,
    RecordsModule,
    TaxonomyModule,
    TypeOrmModule.forFeature([SearchFeed, SearchJob, SearchWord]),
  ],
  controllers: [SearchController],
  providers: [
    {
      provide: SearchIndex,
      inject: [Dialect, Reads, UnitOfWork, Settings, Cluster, DatabaseIdentity, LOG, Metrics],
      useFactory: (...[dialect, reads, unitOfWork, settings, cluster, identity, log, metrics]: IndexParts) => {
        const folder = settings.searchIndex === 'local' ? join(settings.dataDir, 'cache', 'search') : null;
        return searchIndexFor({ dialect, reads, unitOfWork, folder, cluster, identity, log, metrics });
      },
    },
    {
      provide: Cluster,
      inject: [Settings],
      useFactory: ({ searchServer }: Settings) => (searchServer ? new Cluster(searchServer) : null),
    },
    {
      provide: IndexFeed,
      inject: [SearchIndex, Reads, LOG, Metrics],
      useFactory: (...[index, reads, log, metrics]: FeedParts) =>
        index instanceof OpenSearchIndex ? feedOf(index, { reads, log, metrics }) : null,
    },
    {
      provide: Generations,
      inject: [SearchIndex],
      useFactory: (index: SearchIndex) => (index instanceof OpenSearchIndex ? index.generations : null),
    },
    {
      provide: DatabaseIdentity,
      inject: [Reads, UnitOfWork, Dialect],
      useFactory: (reads: Reads, units: UnitOfWork, { insertOrIgnore }: Dialect) =>
        new DatabaseIdentity(reads, units, insertOrIgnore),
    },
    IndexReports,
    KnownWords,
    LocalStart,
    RecordBatches,
    Reindexing,
    SearchRepair,
    IndexingJobs,
    SearchHits,
    IndexingQueue,
    SearchListener,
    SearchMetrics,
    SearchReindex,
    SearchScope,
    SearchService,
    Suggestions,
  ],
})
export class SearchModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./search.openapi.js')).SEARCH_API);
  }
}
