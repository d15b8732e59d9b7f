import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TermAssignment, NewTags } from './assignment/term-assignment.js';
import { PendingRemovals } from './removal/pending-removals.js';
import { TaxonomyRemovalService } from './removal/taxonomy-removal.service.js';
import { TermDeletionService } from './removal/term-deletion.service.js';
import { TermJobs } from './removal/term-jobs.js';
import { TermMergeService } from './removal/term-merge.service.js';
import { TermRemovals } from './removal/term-removals.js';
import { TaxonomiesService } from './taxonomies/taxonomies.service.js';
import { TaxonomyManagementService } from './taxonomies/taxonomy-management.service.js';
import { TaxonomyReferrersHost } from './taxonomies/taxonomy-referrers.port.js';
import { TaxonomyStore } from './taxonomies/taxonomy-store.js';
import { TaxonomyEntity, Term, TermRedirect } from './taxonomies/taxonomy.entity.js';
import { TaxonomyManagementController } from './taxonomy-management.controller.js';
import { TaxonomyController } from './taxonomy.controller.js';
import { TermListeners } from './terms/term-listeners.js';
import { TermManagementService } from './terms/term-management.service.js';
import { TermPages } from './terms/term-pages.js';
import { TermStore } from './terms/term-store.js';
import { TermUsageHost } from './terms/term-usage.port.js';
import { TermsService } from './terms/terms.service.js';
import { Placements } from './terms/tree/placements.js';
import { TreeRepair } from './terms/tree/tree-faults.js';

@Module({
  imports: [TypeOrmModule.forFeature([TaxonomyEntity, Term, TermRedirect])],
  controllers: [TaxonomyController, TaxonomyManagementController],
  providers: [
    PendingRemovals,
    TermRemovals,
    NewTags,
    Placements,
    TaxonomiesService,
    TaxonomyManagementService,
    TaxonomyReferrersHost,
    TaxonomyRemovalService,
    TaxonomyStore,
    TermAssignment,
    TermJobs,
    TermListeners,
    TermManagementService,
    TermMergeService,
    TermPages,
    TermDeletionService,
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
