import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TermAssignment, NewTags } from './assignment/term-assignment.js';
import { PendingRemovals } from './removal/pending-removals.js';
import { TermRemovalService } from './removal/term-removal.service.js';
import { TaxonomiesService } from './taxonomies/taxonomies.service.js';
import { TaxonomyManagementService } from './taxonomy-management.service.js';
import { TaxonomyReferrersHost } from './taxonomies/taxonomy-referrers.port.js';
import { TaxonomyEntity, Term, TermRedirect } from './taxonomies/taxonomy.entity.js';
import { TaxonomyManagementController } from './taxonomy-management.controller.js';
import { TaxonomyController } from './taxonomy.controller.js';
import { TermListeners } from './terms/term-listeners.js';
import { TermManagementService } from './terms/term-management.service.js';
import { TermPages } from './terms/term-pages.js';
import { TermStore } from './terms/term-store.js';
import { TermUsageHost } from './terms/term-usage.port.js';
import { TermsService } from './terms/terms.service.js';
import { TreeRepair } from './terms/tree/tree-faults.js';

@Module({
  imports: [TypeOrmModule.forFeature([TaxonomyEntity, Term, TermRedirect])],
  controllers: [TaxonomyController, TaxonomyManagementController],
  providers: [
    PendingRemovals,
    TermRemovalService,
    NewTags,
    TaxonomiesService,
    TaxonomyManagementService,
    TaxonomyReferrersHost,
    TermAssignment,
    TermListeners,
    TermManagementService,
    TermPages,
    TermStore,
    TermUsageHost,
    TermsService,
    TreeRepair,
  ],
  exports: [
    TaxonomiesService,
    TaxonomyManagementService,
    TaxonomyReferrersHost,
    TermAssignment,
    TermListeners,
    TermManagementService,
    TermUsageHost,
    TermsService,
  ],
})
export class TaxonomyModule {}
