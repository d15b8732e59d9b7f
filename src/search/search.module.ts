import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ContentTypesModule } from '../content-types/content-types.module.js';
import { Dialect } from '../database/dialect/dialect.js';
import { Reads } from '../database/statements/reads.js';
import { UnitOfWork } from '../database/units/unit-of-work.js';
import { RecordsModule } from '../records/records.module.js';
import { TaxonomyModule } from '../taxonomy/taxonomy.module.js';
import { KnownWords } from './answers/known-words.js';
import { RecordBatches } from './indexing/record-batches.js';
import { Reindexing } from './indexing/reindexing.js';
import { IndexingJobs } from './indexing/indexing-jobs.js';
import { SearchHits } from './answers/search-hits.js';
import { SearchIndex } from './search-index.js';
import { IndexingQueue } from './indexing/indexing-queue.js';
import { SearchListener } from './indexing/search-listener.js';
import { SearchReindex } from './indexing/search-reindex.js';
import { SearchScope } from './answers/search-scope.js';
import { SearchController } from './search.controller.js';
import { SearchService } from './search.service.js';
import { Suggestions } from './answers/suggestions.js';
import { SearchJob } from './search-job.entity.js';
import { SearchWord } from './search-word.entity.js';
import { Fts5SearchIndex } from './fts5/fts5-search-index.js';
import { FulltextSearchIndex } from './fulltext/fulltext-search-index.js';

/** The index of a database: SQLite is searched in threads of our own, MySQL and MariaDB search by themselves. */
export function searchIndexFor(dialect: Dialect, reads: Reads, unitOfWork: UnitOfWork): SearchIndex {
  const file = dialect.fileForThreads;
  return file === null ? new FulltextSearchIndex(reads, unitOfWork) : new Fts5SearchIndex(file);
}

@Module({
  imports: [ContentTypesModule, RecordsModule, TaxonomyModule, TypeOrmModule.forFeature([SearchJob, SearchWord])],
  controllers: [SearchController],
  providers: [
    { provide: SearchIndex, inject: [Dialect, Reads, UnitOfWork], useFactory: searchIndexFor },
    KnownWords,
    RecordBatches,
    Reindexing,
    IndexingJobs,
    SearchHits,
    IndexingQueue,
    SearchListener,
    SearchReindex,
    SearchScope,
    SearchService,
    Suggestions,
  ],
})
export class SearchModule {}
