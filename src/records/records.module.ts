import { Module } from '@nestjs/common';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { ContentTypesModule } from '../content-types/content-types.module.js';
import { ContentTypes } from '../content-types/content-types.service.js';
import { TaxonomyModule } from '../taxonomy/taxonomy.module.js';
import { Actors } from './actors.js';
import { ListReader } from './list-reader.js';
import { RecordChanges } from './record-changes.js';
import { RecordChores } from './record-chores.js';
import { RecordCounts } from './record-counts.js';
import { RecordCopies } from './record-copies.js';
import { RecordHistoryHolder } from './record-history.port.js';
import { RecordImports } from './record-imports.js';
import { RecordListeners } from './record-listeners.js';
import { RecordPages } from './record-pages.js';
import { RecordPositions } from './record-positions.js';
import { RecordReader } from './record-reader.js';
import { RecordStatements } from './record-statements.js';
import { RecordViews } from './record-view.js';
import { RecordWriter } from './record-writer.js';
import { RecordsController } from './records.controller.js';
import { describeRecords } from './records.openapi.js';
import { RecordsService } from './records.service.js';
import { RecordTerms } from './record-terms.js';
import { Relations } from './relations.js';
import { Stamps } from './stamps.js';
import { TermReplacement } from './term-replacement.js';
import { RecordTermUsage } from './term-usage.js';
import { TypeTaxonomies } from './type-taxonomies.js';
import { RecordTypeUsage } from './type-usage.js';
import { Trash } from './trash.js';

@Module({
  imports: [ContentTypesModule, TaxonomyModule],
  controllers: [RecordsController],
  providers: [
    Actors,
    ListReader,
    RecordChanges,
    RecordChores,
    RecordCopies,
    RecordCounts,
    RecordHistoryHolder,
    RecordImports,
    RecordListeners,
    RecordPages,
    RecordPositions,
    RecordReader,
    RecordStatements,
    RecordTermUsage,
    RecordTerms,
    RecordTypeUsage,
    RecordViews,
    RecordWriter,
    RecordsService,
    Relations,
    Stamps,
    TermReplacement,
    Trash,
    TypeTaxonomies,
  ],
  exports: [
    Actors,
    RecordChanges,
    RecordCopies,
    RecordHistoryHolder,
    RecordImports,
    RecordListeners,
    RecordPages,
    RecordReader,
    RecordViews,
    RecordWriter,
    RecordsService,
    RecordTerms,
    Relations,
    Stamps,
  ],
})
export class RecordsModule {
  constructor(registry: OpenApiRegistry, types: ContentTypes) {
    registry.addNamedAfterData(async (taken) => describeRecords(await types.all(), taken));
  }
}
