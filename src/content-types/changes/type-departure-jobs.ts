import { Injectable } from '@nestjs/common';
import { Job } from '../../common/jobs/job.decorator.js';
import { JobRunner } from '../../common/jobs/job-runner.js';
import { TypeDepartures } from './type-departures.js';

const RESUME_EVERY_MS = 60_000;

/** Takes the terms away that a stop or a failure has left on records whose type no longer has the taxonomy. */
@Injectable()
export class TypeDepartureJobs {
  constructor(
    private readonly departures: TypeDepartures,
    runner: JobRunner,
  ) {
    // What requests have begun ends as well.
    runner.stopping.addEventListener('abort', () => {
      this.departures.stop();
    });
  }

  @Job({
    name: 'types.resume-departures',
    once: 'started',
    every: RESUME_EVERY_MS,
    lease: 'terms',
    failure: 'terms of a taxonomy that a content type no longer has could not be taken away',
  })
  resume(): Promise<void> {
    return this.departures.resume();
  }
}
