import { Module } from '@nestjs/common';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { Departures } from './terms/departures.service.js';
import { Leaving } from './terms/leaving.js';
import { NewTags } from './terms/new-tags.js';
import { Placements } from './terms/placement.js';
import { Taxonomies } from './taxonomies/taxonomies.service.js';
import { TaxonomyCopies } from './taxonomies/taxonomy-copies.js';
import { TaxonomyManagementController } from './taxonomies/taxonomy-management.controller.js';
import { TaxonomyManagement } from './taxonomies/taxonomy-management.service.js';
import { TaxonomyReferrersHolder } from './taxonomies/taxonomy-referrers.port.js';
import { TaxonomyRemoval } from './taxonomies/taxonomy-removal.service.js';
import { TaxonomyStore } from './taxonomies/taxonomy-store.js';
import { TaxonomyController } from './terms/taxonomy.controller.js';
import { TermAssignment } from './terms/term-assignment.js';
import { TermChores } from './terms/term-chores.js';
import { TermCopies } from './terms/term-copies.js';
import { TermListeners } from './terms/term-listeners.js';
import { TermManagement } from './terms/term-management.service.js';
import { TermMerge } from './terms/term-merge.service.js';
import { TermPages } from './terms/term-pages.js';
import { TermRemoval } from './terms/term-removal.service.js';
import { TermStore } from './terms/term-store.js';
import { TermUsageHolder } from './terms/term-usage.port.js';
import { Terms } from './terms/terms.service.js';

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
    registry.add(async () => (await import('./terms/taxonomy.openapi.js')).TAXONOMY_API);
  }
}
