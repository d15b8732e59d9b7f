import { Module } from '@nestjs/common';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { LOG } from '../common/logging/logging.module.js';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { Settings } from '../config/settings.js';
import { ContentTypesModule } from '../content-types/content-types.module.js';
import { Dialect } from '../database/dialect/dialect.js';
import { Reads } from '../database/reads.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { RecordsModule } from '../records/records.module.js';
import { TaxonomyModule } from '../taxonomy/taxonomy.module.js';
import { Fts5SearchIndex } from './fts5/fts5-search-index.js';
import { FulltextSearchIndex } from './fulltext/fulltext-search-index.js';
import { KnownWords } from './known-words.js';
import { LocalSearchIndex } from './local/local-search-index.js';
import { LocalStart } from './local/local-start.js';
import { RecordBatches } from './record-batches.js';
import { Reindexing } from './reindexing.js';
import { SearchChores } from './search-chores.js';
import { SearchHits } from './search-hits.js';
import { SearchIndex } from './search-index.js';
import { SearchJobs } from './search-jobs.js';
import { SearchListener } from './search-listener.js';
import { SearchReindex } from './search-reindex.js';
import { SearchScope } from './search-scope.js';
import { SearchController } from './search.controller.js';
import { SearchService } from './search.service.js';
import { Suggestions } from './suggestions.js';

/** A file is searched in threads of our own. A server does it by itself, unless its documents are kept in a file too. */
function indexFor(
  { fileForThreads }: Dialect,
  reads: Reads,
  unitOfWork: UnitOfWork,
  { searchIndex, dataDir }: Settings,
  log: Logger,
): SearchIndex {
  if (fileForThreads !== null) return new Fts5SearchIndex(fileForThreads);
  const database = new FulltextSearchIndex(reads, unitOfWork);
  if (searchIndex === 'database') return database;
  return new LocalSearchIndex({ reads, database, folder: join(dataDir, 'cache', 'search'), log });
}

@Module({
  imports: [ContentTypesModule, RecordsModule, TaxonomyModule],
  controllers: [SearchController],
  providers: [
    { provide: SearchIndex, inject: [Dialect, Reads, UnitOfWork, Settings, LOG], useFactory: indexFor },
    KnownWords,
    LocalStart,
    RecordBatches,
    Reindexing,
    SearchChores,
    SearchHits,
    SearchJobs,
    SearchListener,
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
