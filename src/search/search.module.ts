import { Module } from '@nestjs/common';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { ContentTypesModule } from '../content-types/content-types.module.js';
import { Dialect } from '../database/dialect/dialect.js';
import { Reads } from '../database/reads.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { RecordsModule } from '../records/records.module.js';
import { TaxonomyModule } from '../taxonomy/taxonomy.module.js';
import { Fts5SearchIndex } from './fts5/fts5-search-index.js';
import { FulltextSearchIndex } from './fulltext/fulltext-search-index.js';
import { KnownWords } from './known-words.js';
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

/** A file is searched in a thread of our own, a server does it by itself. */
function indexFor({ fileForThreads }: Dialect, reads: Reads, unitOfWork: UnitOfWork): SearchIndex {
  return fileForThreads === null ? new FulltextSearchIndex(reads, unitOfWork) : new Fts5SearchIndex(fileForThreads);
}

@Module({
  imports: [ContentTypesModule, RecordsModule, TaxonomyModule],
  controllers: [SearchController],
  providers: [
    { provide: SearchIndex, inject: [Dialect, Reads, UnitOfWork], useFactory: indexFor },
    KnownWords,
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
