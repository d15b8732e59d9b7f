import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { ContentTypesModule } from '../content-types/content-types.module.js';
import { RecordsModule } from '../records/records.module.js';
import { TaxonomyModule } from '../taxonomy/taxonomy.module.js';
import { DamageLog } from './history/damage-log.js';
import { PreparedSnapshots } from './history/prepared-snapshots.js';
import { RetentionJobs } from './retention/retention-jobs.js';
import { RetentionQueue } from './retention/retention-queue.js';
import { RetentionService } from './retention/retention.service.js';
import { RevisionListener } from './revision-listener.js';
import { RevisionReader } from './history/revision-reader.js';
import { RevisionsController } from './revisions.controller.js';
import { RevisionsService } from './revisions.service.js';
import { RollbackController } from './rollback/rollback.controller.js';
import { RollbackOutcome } from './rollback/rollback-outcome.js';
import { RollbackPlanner } from './rollback/rollback-planner.js';
import { RollbackService } from './rollback/rollback.service.js';
import { RollbackTerms } from './rollback/rollback-terms.js';
import { Revision } from './revision.entity.js';

@Module({
  imports: [ContentTypesModule, RecordsModule, TaxonomyModule, TypeOrmModule.forFeature([Revision])],
  controllers: [RevisionsController, RollbackController],
  providers: [
    DamageLog,
    PreparedSnapshots,
    RetentionService,
    RetentionJobs,
    RetentionQueue,
    RevisionListener,
    RevisionReader,
    RevisionsService,
    RollbackOutcome,
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
