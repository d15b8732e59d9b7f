import { Global, Module } from '@nestjs/common';
import { DerivedIndexes } from '../common/derived-indexes.js';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { AdminHealthController } from './admin-health.controller.js';
import { AdminHealth } from './admin-health.js';
import { DatabaseProbe } from './database-probe.js';
import { Drain } from './drain.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';

/** Whether the service does; features that make indexes from the database say there how these do. */
@Global()
@Module({
  controllers: [HealthController, AdminHealthController],
  providers: [AdminHealth, DerivedIndexes, DatabaseProbe, HealthService, Drain],
  exports: [DerivedIndexes],
})
export class HealthModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./health.openapi.js')).HEALTH_API);
  }
}
