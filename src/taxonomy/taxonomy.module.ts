import { Module } from '@nestjs/common';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { Departures } from './departures.service.js';
import { Leaving } from './leaving.js';
import { NewTags } from './new-tags.js';
import { Placements } from './placement.js';
import { Taxonomies } from './taxonomies.service.js';
import { TaxonomyCopies } from './taxonomy-copies.js';
import { TaxonomyManagementController } from './taxonomy-management.controller.js';
import { TaxonomyManagement } from './taxonomy-management.service.js';
import { TaxonomyReferrersHolder } from './taxonomy-referrers.port.js';
import { TaxonomyRemoval } from './taxonomy-removal.service.js';
import { TaxonomyStore } from './taxonomy-store.js';
import { TaxonomyController } from './taxonomy.controller.js';
import { TAXONOMY_API } from './taxonomy.openapi.js';
import { TermAssignment } from './term-assignment.js';
import { TermChores } from './term-chores.js';
import { TermCopies } from './term-copies.js';
import { TermListeners } from './term-listeners.js';
import { TermManagement } from './term-management.service.js';
import { TermMerge } from './term-merge.service.js';
import { TermPages } from './term-pages.js';
import { TermRemoval } from './term-removal.service.js';
import { TermStore } from './term-store.js';
import { TermUsageHolder } from './term-usage.port.js';
import { Terms } from './terms.service.js';

@Module({
  controllers: [TaxonomyController, TaxonomyManagementController],
  providers: [
    Departures,
    Leaving,
    NewTags,
    Placements,
    Taxonomies,
    TaxonomyCopies,
    TaxonomyManagement,
    TaxonomyReferrersHolder,
    TaxonomyRemoval,
    TaxonomyStore,
    TermAssignment,
    TermChores,
    TermCopies,
    TermListeners,
    TermManagement,
    TermMerge,
    TermPages,
    TermRemoval,
    TermStore,
    TermUsageHolder,
    Terms,
  ],
  exports: [
    Taxonomies,
    TaxonomyCopies,
    TaxonomyManagement,
    TaxonomyReferrersHolder,
    TermAssignment,
    TermCopies,
    TermListeners,
    TermManagement,
    TermUsageHolder,
    Terms,
  ],
})
export class TaxonomyModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(TAXONOMY_API);
  }
}
