import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, HttpAdapterHost } from '@nestjs/core';
import type { Logger } from 'pino';
import { Histogram, Registry } from 'prom-client';
import { Clock } from '../clock.js';
import type { DomainError } from '../errors/domain-error.js';
import { LOG } from '../logging/logging.module.js';
import { readGauge } from '../metrics/read-gauge.js';
import { JobLocks } from './job-locks.js';
import { JobRunner } from './job-runner.js';

type Parts = [DiscoveryService, HttpAdapterHost, JobLocks, Clock, Logger, Registry];

@Global()
@Module({})
export class JobsModule {
  /** @param translate says of a failure that it is none of the work, such as a database that is gone */
  static forRoot(translate: (error: unknown) => DomainError | null): DynamicModule {
    const provider = {
      provide: JobRunner,
      inject: [DiscoveryService, HttpAdapterHost, JobLocks, Clock, LOG, Registry],
      useFactory: (...[providers, host, locks, clock, log, registry]: Parts) => {
        const runner = new JobRunner({ providers, host, locks }, clock, log, translate);
        measureJobs(runner, registry);
        return runner;
      },
    };
    return { module: JobsModule, imports: [DiscoveryModule], providers: [provider], exports: [JobRunner] };
  }
}

/** Seconds. */
const BUCKETS = [0.01, 0.1, 1, 10, 60];

function measureJobs(runner: JobRunner, registry: Registry): void {
  const registers = [registry];
  const durations = new Histogram({
    name: 'cms_chore_seconds',
    help: 'Background jobs of this process.',
    labelNames: ['chore', 'outcome'],
    buckets: BUCKETS,
    registers,
  });
  runner.follow(({ name, outcome, seconds }) => {
    durations.observe({ chore: name, outcome }, seconds);
  });
  readGauge(
    { name: 'cms_chore_period_seconds', help: 'How often a background job begins.', labelNames: ['chore'], registers },
    () => [...runner.periods].map(([chore, ms]) => ({ labels: { chore }, value: ms / 1_000 })),
  );
  readGauge(
    {
      name: 'cms_chore_last_success',
      help: 'When a background job last ended well in this process, in seconds since 1970.',
      labelNames: ['chore'],
      registers,
    },
    () => [...runner.lastSuccesses].map(([chore, ms]) => ({ labels: { chore }, value: ms / 1_000 })),
  );
}
