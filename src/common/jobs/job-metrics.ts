import type { Metrics } from '../metrics/metrics.js';
import type { EndedJob, JobRunner } from './job-runner.js';

/** Seconds. */
const BUCKETS = [0.01, 0.1, 1, 10, 60];

/** Measures the background jobs of this process. */
export function measureJobs(runner: JobRunner, metrics: Metrics): void {
  const durations = metrics.histogram<Pick<EndedJob, 'outcome'> & Record<'chore', string>>({
    name: 'cms_chore_seconds',
    help: 'Background jobs of this process.',
    labels: ['chore', 'outcome'],
    buckets: BUCKETS,
  });
  runner.follow(({ name, outcome, seconds }) => {
    durations.observe({ chore: name, outcome }, seconds);
  });
  metrics.gauge<Record<'chore', string>>(
    { name: 'cms_chore_period_seconds', help: 'How often a background job begins.', labels: ['chore'] },
    () => [...runner.periods].map(([chore, ms]) => ({ labels: { chore }, value: ms / 1_000 })),
  );
  metrics.gauge<Record<'chore', string>>(
    {
      name: 'cms_chore_last_success',
      help: 'When a background job last ended well in this process, in seconds since 1970.',
      labels: ['chore'],
    },
    () =>
      runner.jobs.flatMap(({ name, succeededAt }) =>
        succeededAt === null ? [] : [{ labels: { chore: name }, value: succeededAt / 1_000 }],
      ),
  );
}
