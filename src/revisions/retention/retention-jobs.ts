import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Job } from '../../common/jobs/job.decorator.js';
import { RetentionQueue } from './retention-queue.js';
import { RetentionService } from './retention.service.js';

const EVERY_MS = 5_000;
const BATCH = 200;
/** All records are looked at when the service has run for so long, and as often again. */
const ALL_EVERY_MS = 12 * 3_600_000;
const FIRST_ALL_MS = 60_000;
/** Between two batches, so that other writers get the lock of the database. */
const PAUSE_MS = 50;

const FAILURE = 'old revisions could not be dropped';

/** Drops revisions that are not kept any more, in small steps. */
@Injectable()
export class RetentionJobs {
  private allDueAt = performance.now() + FIRST_ALL_MS;

  constructor(
    private readonly retention: RetentionService,
    private readonly queue: RetentionQueue,
  ) {}

  /** Looks at the records that were written in this process. */
  @Job({ name: 'revisions.drop-noted', every: EVERY_MS, failure: FAILURE })
  async dropNoted(signal?: AbortSignal): Promise<void> {
    for (let ids = this.queue.take(BATCH); ids.length > 0 && !signal?.aborted; ids = this.queue.take(BATCH)) {
      await this.orAgain(this.retention.shorten(ids), () => {
        for (const id of ids) this.queue.note(id);
      });
    }
    if (this.queue.takeAll()) await this.all(signal);
  }

  /** Looks at all records when it is time for that. */
  @Job({ name: 'revisions.drop-old', every: EVERY_MS, lock: 'revisions', failure: FAILURE })
  async dropOld(signal?: AbortSignal): Promise<void> {
    if (performance.now() >= this.allDueAt) await this.all(signal);
  }

  /** A look at all records that a stop has interrupted begins anew with the next start. */
  private async all(signal?: AbortSignal): Promise<void> {
    this.allDueAt = performance.now() + ALL_EVERY_MS;
    await this.orAgain(this.lookAtAll(signal), () => {
      this.queue.noteAll();
    });
  }

  private async lookAtAll(signal?: AbortSignal): Promise<void> {
    for (let last: number | null = 0; last !== null && !signal?.aborted;) {
      last = await this.retention.shortenAfter(last);
      await sleep(PAUSE_MS);
    }
  }

  /** Work that fails, such as by a connection that was lost, is noted for the next time. */
  private async orAgain(work: Promise<unknown>, note: () => void): Promise<void> {
    try {
      await work;
    } catch (error) {
      note();
      throw error;
    }
  }
}
