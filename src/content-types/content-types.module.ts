import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IndexBuilder } from './changes/index-builder.js';
import { IndexWork } from './changes/index-work.js';
import { TaxonomyWithdrawal } from './changes/taxonomy-withdrawal.entity.js';
import { TaxonomyWithdrawals } from './changes/taxonomy-withdrawals.js';
import { TypeInspections } from './changes/type-inspections.js';
import { TypeJobs } from './changes/type-jobs.js';
import { TypeManagement } from './changes/type-management.js';
import { TypeRemoval } from './changes/type-removal.js';
import { TypeUpdates } from './changes/type-updates.js';
import { TypeWatch, TypeWatchRecord } from './changes/type-watch.entity.js';
import { TypeWatches } from './changes/type-watches.js';
import { ContentTypesController, TypeManagementController } from './content-types.controller.js';
import { ContentField, ContentType } from './store/content-type.entity.js';
import { ContentTypesService } from './store/content-types.service.js';
import { KnownTaxonomiesHost } from './store/known-taxonomies.port.js';
import { TypeStore } from './store/type-store.js';
import { TypeUsageHost } from './store/type-usage.port.js';
import { TypeCatalogue } from './type-catalogue.js';

@Module({
  imports: [TypeOrmModule.forFeature([ContentField, ContentType, TaxonomyWithdrawal, TypeWatch, TypeWatchRecord])],
  controllers: [ContentTypesController, TypeManagementController],
  providers: [
    ContentTypesService,
    IndexBuilder,
    IndexWork,
    KnownTaxonomiesHost,
    TypeCatalogue,
    TypeJobs,
    TaxonomyWithdrawals,
    TypeInspections,
    TypeManagement,
    TypeRemoval,
    TypeStore,
    TypeUpdates,
    TypeWatches,
    TypeUsageHost,
  ],
  exports: [ContentTypesService, IndexBuilder, KnownTaxonomiesHost, TypeCatalogue, TypeManagement, TypeUsageHost],
})
export class ContentTypesModule {}
