import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, HttpAdapterHost } from '@nestjs/core';
import type { Logger } from 'pino';
import { Clock } from '../clock.js';
import type { DomainError } from '../errors/domain-error.js';
import { LOG } from '../logging/logging.module.js';
import { Metrics } from '../metrics/metrics.js';
import { Tracing } from '../tracing/tracing.js';
import { JobLocks } from './job-locks.js';
import { measureJobs } from './job-metrics.js';
import { JobRunner } from './job-runner.js';

type Parts = [DiscoveryService, HttpAdapterHost, JobLocks, Clock, Logger, Metrics, Tracing];

/** Makes the runner of background jobs available to every module. `AppModule` starts and stops it. */
@Global()
@Module({})
export class JobsModule {
  /** @param translate says of a failure that it is none of the work, such as a database that is gone */
  static forRoot(translate: (error: unknown) => DomainError | null): DynamicModule {
    const provider = {
      provide: JobRunner,
      inject: [DiscoveryService, HttpAdapterHost, JobLocks, Clock, LOG, Metrics, Tracing],
      useFactory: (...[providers, host, locks, clock, log, metrics, tracing]: Parts) => {
        const runner = new JobRunner({ providers, host, locks, tracing }, clock, log, translate);
        measureJobs(runner, metrics);
        return runner;
      },
    };
    return { module: JobsModule, imports: [DiscoveryModule], providers: [provider], exports: [JobRunner] };
  }
}
