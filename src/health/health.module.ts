import { Module } from '@nestjs/common';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { Drain } from './drain.js';
import { HealthController } from './health.controller.js';
import { HEALTH_API } from './health.openapi.js';
import { HealthService } from './health.service.js';

@Module({ controllers: [HealthController], providers: [HealthService, Drain] })
export class HealthModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(HEALTH_API);
  }
}
