import { Module } from '@nestjs/common';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { AdminHealthController } from './admin-health.controller.js';
import { AdminHealth } from './admin-health.js';
import { DatabaseProbe } from './database-probe.js';
import { Drain } from './drain.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';

@Module({
  controllers: [HealthController, AdminHealthController],
  providers: [AdminHealth, DatabaseProbe, HealthService, Drain],
})
export class HealthModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./health.openapi.js')).HEALTH_API);
  }
}
