import { Module } from '@nestjs/common';
import { NewTags } from './new-tags.js';
import { Taxonomies } from './taxonomies.service.js';
import { TermAssignment } from './term-assignment.js';
import { TermListeners } from './term-listeners.js';
import { TermUsageHolder } from './term-usage.port.js';
import { Terms } from './terms.service.js';

@Module({
  providers: [NewTags, Taxonomies, TermAssignment, TermListeners, TermUsageHolder, Terms],
  exports: [Taxonomies, TermAssignment, TermListeners, TermUsageHolder, Terms],
})
export class TaxonomyModule {}
