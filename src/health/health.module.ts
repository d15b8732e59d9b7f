import { Module } from '@nestjs/common';
import { DatabaseProbe } from './database-probe.js';
import { Drain } from './drain.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';

@Module({
  controllers: [HealthController],
  providers: [DatabaseProbe, HealthService, Drain],
})
export class HealthModule {}
