import { Module } from '@nestjs/common';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { DatabaseProbe } from './database-probe.js';
import { Drain } from './drain.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';

/** Whether the service does. */
@Module({
  controllers: [HealthController],
  providers: [DatabaseProbe, HealthService, Drain],
})
export class HealthModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./health.openapi.js')).HEALTH_API);
  }
}
