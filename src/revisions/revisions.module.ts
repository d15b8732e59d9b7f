import { Module } from '@nestjs/common';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { ContentTypesModule } from '../content-types/content-types.module.js';
import { RecordsModule } from '../records/records.module.js';
import { TaxonomyModule } from '../taxonomy/taxonomy.module.js';
import { RetentionChores } from './retention-chores.js';
import { RetentionQueue } from './retention-queue.js';
import { Retention } from './retention.service.js';
import { RevisionHistory } from './revision-history.js';
import { RevisionListener } from './revision-listener.js';
import { RevisionReader } from './revision-reader.js';
import { RevisionsController } from './revisions.controller.js';
import { REVISIONS_API } from './revisions.openapi.js';
import { Revisions } from './revisions.service.js';
import { RollbackController } from './rollback.controller.js';
import { RollbackOutcome } from './rollback-outcome.js';
import { RollbackPlanner } from './rollback-planner.js';
import { Rollbacks } from './rollback.service.js';
import { RollbackTerms } from './rollback-terms.js';

@Module({
  imports: [ContentTypesModule, RecordsModule, TaxonomyModule],
  controllers: [RevisionsController, RollbackController],
  providers: [
    Retention,
    RetentionChores,
    RetentionQueue,
    RevisionHistory,
    RevisionListener,
    RevisionReader,
    Revisions,
    RollbackOutcome,
    RollbackPlanner,
    Rollbacks,
    RollbackTerms,
  ],
})
export class RevisionsModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(REVISIONS_API);
  }
}
