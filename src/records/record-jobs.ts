import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Job } from '../common/jobs/job.decorator.js';
import { RecordCounts } from './counting/record-counts.js';
import { Trash } from './writing/trash.js';

const FOLD_EVERY_MS = 5_000;
const PURGE_EVERY_MS = 3_600_000;
const TRASH_DAYS = 30;
const DAY_MS = 86_400_000;
const FAILURE = 'a job of the records failed';

/** Background jobs of records. Several processes may run them at once. */
@Injectable()
export class RecordJobs {
  constructor(
    private readonly counts: RecordCounts,
    private readonly trash: Trash,
    private readonly clock: Clock,
  ) {}

  @Job({ name: 'records.fold-counts', every: FOLD_EVERY_MS, failure: FAILURE })
  async foldCounts(): Promise<void> {
    while ((await this.counts.fold()) > 0);
  }

  @Job({ name: 'records.purge-trash', every: PURGE_EVERY_MS, failure: FAILURE })
  async purgeTrash(): Promise<void> {
    await this.trash.purge(this.clock.now() - TRASH_DAYS * DAY_MS);
  }
}
