import { Module } from '@nestjs/common';
import { DatabaseProbe } from './database-probe.js';
import { Drain } from './drain.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';

/** Answers whether the service does its work. */
@Module({
  controllers: [HealthController],
  providers: [DatabaseProbe, HealthService, Drain],
})
export class HealthModule {}
