import type { DiscoveryService, HttpAdapterHost } from '@nestjs/core';
import type { Logger } from 'pino';
import type { Clock } from '../clock.js';
import type { DomainError } from '../errors/domain-error.js';
import { jobsOf, type DeclaredJob } from './job.decorator.js';
import { JobQueue } from './job-queue.js';

/** What became of a job in this process. Times are milliseconds since 1970. */
export interface JobState {
  readonly name: string;
  /** When it last ended well; `null`: never. */
  readonly succeededAt: number | null;
  /** When it last failed, and by what; `null`: never. */
  readonly failed: { readonly at: number; readonly error: unknown } | null;
}

type JobMethod = (signal: AbortSignal) => Promise<unknown>;

/**
 * Runs the methods of all providers that are marked with `@Job`, from the end of the start to the beginning of the stop.
 * Objects run their jobs beside each other, and each its own one at a time.
 */
export class JobRunner {
  private readonly controller = new AbortController();
  private readonly queues = new Map<object, JobQueue>();
  private readonly states = new Map<string, JobState>();

  /** @param translate says of a failure that it is none of the work, such as a database that is gone */
  constructor(
    private readonly providers: DiscoveryService,
    private readonly host: HttpAdapterHost,
    private readonly clock: Clock,
    private readonly log: Logger,
    private readonly translate: (error: unknown) => DomainError | null,
  ) {}

  /** Aborted when the stop begins. */
  get stopping(): AbortSignal {
    return this.controller.signal;
  }

  /**
   * The queue of an object, in which its jobs run and which takes further work.
   *
   * @param failure what the log says when work fails that is no declared job
   */
  queueOf(owner: object, failure = 'a background job failed'): JobQueue {
    const queue = this.queues.get(owner) ?? new JobQueue(this.log, failure, this.translate);
    this.queues.set(owner, queue);
    return queue;
  }

  /** What became of the jobs that have run in this process, by name. */
  get jobs(): readonly JobState[] {
    return [...this.states.values()];
  }

  /** Starts all jobs: some once, in the order of their methods, the others by their intervals. */
  begin(): void {
    const singletons = this.providers.getProviders().filter((provider) => provider.isDependencyTreeStatic());
    const owners = new Set(singletons.map(({ instance }) => instance as unknown));
    for (const owner of owners) {
      if (typeof owner === 'object' && owner !== null) this.schedule(owner);
    }
  }

  /** Begins nothing more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.controller.abort();
    await Promise.all([...this.queues.values()].map((queue) => queue.stop()));
  }

  private schedule(owner: object): void {
    const jobs = jobsOf(owner);
    if (jobs.length === 0) return;
    const queue = this.queueOf(owner);
    for (const job of jobs) {
      const work = (signal: AbortSignal): Promise<void> => this.run(owner, job, signal);
      if (job.once === 'started') void queue.start(work, job.failure);
      if (job.once === 'listening') this.host.listen$.subscribe(() => void queue.start(work, job.failure));
      if (job.every !== undefined) queue.every(job.every, work, job.failure);
    }
  }

  private async run(owner: object, { name, method }: DeclaredJob, signal: AbortSignal): Promise<void> {
    const { succeededAt = null, failed = null } = this.states.get(name) ?? {};
    try {
      // `@Job` is written on methods only.
      await (owner as Readonly<Record<string, JobMethod>>)[method]?.(signal);
      this.states.set(name, { name, succeededAt: this.clock.now(), failed });
    } catch (error) {
      this.states.set(name, { name, succeededAt, failed: { at: this.clock.now(), error } });
      throw error;
    }
  }
}
