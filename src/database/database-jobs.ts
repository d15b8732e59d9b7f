import { Injectable } from '@nestjs/common';
import { Job } from '../common/jobs/job.decorator.js';
import { Dialect } from './dialect/dialect.js';

const STATISTICS_EVERY_MS = 3_600_000;

@Injectable()
export class DatabaseJobs {
  constructor(private readonly dialect: Dialect) {}

  @Job({
    name: 'database.renew-statistics',
    every: STATISTICS_EVERY_MS,
    failure: 'statistics were not renewed: lists may become slow as tables grow',
  })
  renewStatistics(): Promise<void> {
    return this.dialect.renewStatistics();
  }
}
