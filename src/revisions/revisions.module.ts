import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { ContentTypesModule } from '../content-types/content-types.module.js';
import { RecordsModule } from '../records/records.module.js';
import { TaxonomyModule } from '../taxonomy/taxonomy.module.js';
import { Retention } from './retention.js';
import { RevisionListener } from './revision-listener.js';
import { RevisionReader } from './history/revision-reader.js';
import { RevisionsController } from './revisions.controller.js';
import { RevisionsService } from './revisions.service.js';
import { RollbackPlanner } from './rollback/rollback-planner.js';
import { RollbackService } from './rollback/rollback.service.js';
import { RollbackTerms } from './rollback/rollback-terms.js';
import { Revision } from './revision.entity.js';

@Module({
  imports: [ContentTypesModule, RecordsModule, TaxonomyModule, TypeOrmModule.forFeature([Revision])],
  controllers: [RevisionsController],
  providers: [
    Retention,
    RevisionListener,
    RevisionReader,
    RevisionsService,
    RollbackPlanner,
    RollbackService,
    RollbackTerms,
  ],
})
export class RevisionsModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./revisions.openapi.js')).REVISIONS_API);
    registry.addOfTypes(async (names) => (await import('./revisions.openapi.js')).describeRevisions(names));
  }
}
