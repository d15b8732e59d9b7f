import type { DiscoveryService, HttpAdapterHost } from '@nestjs/core';
import type { Logger } from 'pino';
import type { Clock } from '../clock.js';
import type { DomainError } from '../errors/domain-error.js';
import { withSpan } from '../tracing/request-scope.js';
import { traced, tracer } from '../tracing/traced.js';
import { jobsOf, type DeclaredJob } from './job.decorator.js';
import type { JobLocks } from './job-locks.js';
import { JobQueue, type Work } from './job-queue.js';

interface Service {
  readonly providers: DiscoveryService;
  readonly host: HttpAdapterHost;
  readonly locks: JobLocks;
}

export interface EndedJob {
  readonly name: string;
  readonly outcome: 'success' | 'failure';
  readonly seconds: number;
}

type JobMethod = (signal: AbortSignal) => Promise<unknown>;

/**
 * Runs the methods of all providers with `@Job`, from the end of the start to the beginning of the stop.
 * Each object runs its own one at a time.
 */
export class JobRunner {
  private readonly controller = new AbortController();
  private readonly queues = new Map<object, JobQueue>();
  private readonly successes = new Map<string, number>();
  private readonly intervals = new Map<string, number>();
  private readonly declared = new Map<string, () => Promise<void>>();
  private ended: (job: EndedJob) => void = () => undefined;

  /** @param translate says of a failure that it is none of the work, such as a database that is gone */
  constructor(
    private readonly service: Service,
    private readonly clock: Clock,
    private readonly log: Logger,
    private readonly translate: (error: unknown) => DomainError | null,
  ) {}

  get stopping(): AbortSignal {
    return this.controller.signal;
  }

  /** The queue in which an object's jobs and further work run. @param failure for the log, if work fails that is no job */
  queueOf(owner: object, failure = 'a background job failed'): JobQueue {
    const queue = this.queues.get(owner) ?? new JobQueue(this.log, failure, this.translate);
    this.queues.set(owner, queue);
    return queue;
  }

  /** Times at which jobs last ended well in this process, milliseconds since 1970, by name. */
  get lastSuccesses(): ReadonlyMap<string, number> {
    return this.successes;
  }

  /** Milliseconds between two beginnings of the jobs that repeat, by name. */
  get periods(): ReadonlyMap<string, number> {
    return this.intervals;
  }

  /** @param listener called after each job; it must not fail */
  follow(listener: (job: EndedJob) => void): void {
    this.ended = listener;
  }

  /** Starts all jobs: some once, in the order of their methods, the others by their intervals. */
  begin(): void {
    const singletons = this.service.providers.getProviders().filter((provider) => provider.isDependencyTreeStatic());
    const owners = new Set(singletons.map(({ instance }) => instance as unknown));
    for (const owner of owners) {
      if (typeof owner === 'object' && owner !== null) this.schedule(owner);
    }
  }

  /** Runs a job once, as soon as its object does nothing else. What fails is logged. @throws for a name that no job has */
  async run(name: string): Promise<void> {
    const job = this.declared.get(name);
    if (!job) throw new Error(`There is no job ${name}.`);
    await job();
  }

  /** Begins nothing more, waits for what is under way, and leaves the rest to other instances. */
  async stop(): Promise<void> {
    this.controller.abort();
    await Promise.all([...this.queues.values()].map((queue) => queue.stop()));
    this.service.locks.giveBack();
  }

  private schedule(owner: object): void {
    const jobs = jobsOf(owner);
    if (jobs.length === 0) return;
    const queue = this.queueOf(owner);
    for (const job of jobs) {
      const work = (signal: AbortSignal): Promise<void> => this.runOnce(owner, job, signal);
      this.declared.set(job.name, () => queue.start(work, job.failure));
      if (job.once === 'started') void queue.start(work, job.failure);
      if (job.once === 'listening') this.service.host.listen$.subscribe(() => void queue.start(work, job.failure));
      if (job.every === undefined) continue;
      this.intervals.set(job.name, job.every);
      queue.every(job.every, this.onOneInstance(job, work), job.failure);
    }
  }

  private onOneInstance({ lock }: DeclaredJob, work: (signal: AbortSignal) => Promise<void>): Work {
    return lock === undefined ? work : (signal) => this.service.locks.run(lock, signal, work);
  }

  private async runOnce(owner: object, { name, method }: DeclaredJob, signal: AbortSignal): Promise<void> {
    const start = performance.now();
    const end = (outcome: EndedJob['outcome']): void => {
      this.ended({ name, outcome, seconds: (performance.now() - start) / 1_000 });
    };
    try {
      // `@Job` is written on methods only.
      await this.recorded(name, async () => (owner as Readonly<Record<string, JobMethod>>)[method]?.(signal));
      this.successes.set(name, this.clock.now());
      end('success');
    } catch (error) {
      end('failure');
      throw error;
    }
  }

  private recorded(name: string, work: () => Promise<unknown>): Promise<unknown> {
    const span = tracer().startSpan(`job ${name}`, { root: true, attributes: { 'cms.job.name': name } });
    return span.isRecording() ? traced(span, withSpan(span, work)) : work();
  }
}
