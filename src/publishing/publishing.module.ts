import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { ContentTypesModule } from '../content-types/content-types.module.js';
import { ContentTypesService } from '../content-types/store/content-types.service.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { RecordsModule } from '../records/records.module.js';
import { TaxonomyModule } from '../taxonomy/taxonomy.module.js';
import { BulkController } from './bulk/bulk.controller.js';
import { BulkService } from './bulk/bulk.service.js';
import { BulkWrites } from './bulk/bulk-writes.js';
import { CopyAnswers } from './copies/copy-answers.js';
import { CopyEdits } from './copies/copy-edits.js';
import { CopyFaults } from './copies/copy-faults.js';
import { CopyStore } from './copies/copy-store.js';
import { CopyTerms } from './copies/copy-terms.js';
import { CopyTypeUsage } from './copies/copy-type-usage.js';
import { RecordDraft } from './copies/record-draft.entity.js';
import { WorkingCopies } from './copies/working-copies.service.js';
import { DraftListService } from './draft-list.service.js';
import { DraftsController } from './drafts.controller.js';
import { PublishingController } from './publishing.controller.js';
import { Publisher } from './publisher.js';

/** Working copies of records, and what records are published by. */
@Module({
  imports: [
    ContentTypesModule,
    IdempotencyModule,
    RecordsModule,
    TaxonomyModule,
    TypeOrmModule.forFeature([RecordDraft]),
  ],
  controllers: [BulkController, DraftsController, PublishingController],
  providers: [
    BulkService,
    BulkWrites,
    CopyAnswers,
    CopyEdits,
    CopyFaults,
    CopyStore,
    CopyTerms,
    CopyTypeUsage,
    DraftListService,
    Publisher,
    WorkingCopies,
  ],
})
export class PublishingModule {
  constructor(registry: OpenApiRegistry, types: ContentTypesService) {
    registry.add(async () => (await import('./publishing.openapi.js')).PUBLISHING_API);
    registry.add(async () => (await import('./bulk/bulk.openapi.js')).BULK_API);
    registry.addOfTypes(async (names) => {
      const { describePublishing } = await import('./publishing.openapi.js');
      return describePublishing(await types.all(), names);
    });
  }
}
