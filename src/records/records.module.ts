import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { ContentTypesModule } from '../content-types/content-types.module.js';
import { ContentTypesService } from '../content-types/store/content-types.service.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { TaxonomyModule } from '../taxonomy/taxonomy.module.js';
import { RecordRepair } from './checks/record-repair.js';
import { Actors } from './rows/actors.js';
import { ListReader, ListStatements } from './reading/list-reader.js';
import { RecordChanges } from './writing/record-changes.js';
import { RecordJobs } from './record-jobs.js';
import { DamagedCellLog } from './rows/damaged-cell-log.js';
import { RecordCounts } from './counting/record-counts.js';
import { RecordImports } from './record-imports.js';
import { RecordListeners } from './writing/record-listeners.js';
import { RecordLists, RecordQueries } from './reading/record-queries.js';
import { RecordTexts } from './reading/record-texts.js';
import { RecordReader } from './reading/record-reader.js';
import { RecordRemoval } from './writing/record-removal.js';
import { RecordViews } from './rows/record-views.js';
import { RecordWriter } from './writing/record-writer.js';
import { RecordsController } from './records.controller.js';
import { RecordsService } from './records.service.js';
import { RecordTerms } from './writing/record-terms.js';
import { RelationExpansion } from './reading/relation-expansion.js';
import { RelationTargets } from './writing/relation-targets.js';
import { TermReplacement } from './terms/term-replacement.js';
import { TermRewrites } from './terms/term-rewrites.js';
import { RecordTermUsage } from './terms/record-term-usage.js';
import { TypeTaxonomies } from './terms/type-taxonomies.js';
import { RecordTypeUsage } from './types/record-type-usage.js';
import { WrittenRecords } from './written-records.js';
import {
  Actor,
  ContentRecord,
  RecordContent,
  RecordCount,
  RecordDelta,
  RecordField,
  TermCount,
} from './rows/content-record.entity.js';

@Module({
  imports: [
    ContentTypesModule,
    IdempotencyModule,
    TaxonomyModule,
    TypeOrmModule.forFeature([Actor, ContentRecord, RecordContent, RecordCount, RecordDelta, RecordField, TermCount]),
  ],
  controllers: [RecordsController],
  providers: [
    Actors,
    ListReader,
    ListStatements,
    RecordChanges,
    RecordJobs,
    DamagedCellLog,
    RecordCounts,
    RecordImports,
    RecordListeners,
    RecordLists,
    RecordQueries,
    RecordReader,
    RecordRemoval,
    RecordTermUsage,
    RecordTexts,
    RecordTerms,
    RecordTypeUsage,
    RecordViews,
    RecordWriter,
    RecordsService,
    RecordRepair,
    RelationExpansion,
    RelationTargets,
    TermReplacement,
    TermRewrites,
    TypeTaxonomies,
    WrittenRecords,
  ],
  exports: [
    Actors,
    RecordChanges,
    RecordImports,
    RecordListeners,
    RecordQueries,
    RecordReader,
    RecordTerms,
    RecordViews,
    RecordWriter,
    RecordsService,
    RelationTargets,
    WrittenRecords,
  ],
})
export class RecordsModule {
  constructor(registry: OpenApiRegistry, types: ContentTypesService) {
    registry.add(async () => (await import('./records.openapi.js')).RECORDS_API);
    registry.addOfTypes(async (names) => {
      const { describeRecords } = await import('./records.openapi.js');
      return describeRecords(await types.all(), names);
    });
  }
}
