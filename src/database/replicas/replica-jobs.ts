import type { Logger } from 'pino';
import { Job } from '../../common/jobs/job.decorator.js';
import type { Replicas } from './replicas.js';

const SETTLED_EVERY_MS = 1_000;

/** Moves callers to fit replicas each second, and logs when a replica becomes unfit or fit again. */
export class ReplicaJobs {
  private fit: ReadonlySet<string> = new Set();

  constructor(
    private readonly replicas: Replicas,
    private readonly log: Logger,
  ) {}

  @Job({
    name: 'replicas.settle',
    every: SETTLED_EVERY_MS,
    failure: 'no caller could be moved to a replica: they read the server that is written to',
  })
  async settle(): Promise<void> {
    this.report();
    await this.replicas.settle();
  }

  private report(): void {
    const { states } = this.replicas;
    for (const { name, isFit, lagMs } of states) {
      if (isFit === this.fit.has(name)) continue;
      const facts = { replica: name, lag_ms: lagMs };
      if (isFit) this.log.info(facts, 'a replica can be read');
      else this.log.warn(facts, 'a replica is too far behind or does not answer');
    }
    this.fit = new Set(states.filter(({ isFit }) => isFit).map(({ name }) => name));
  }
}
