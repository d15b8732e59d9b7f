import { Injectable } from '@nestjs/common';
import { Job } from '../common/jobs/job.decorator.js';
import { AgreedTime } from '../database/units/agreed-time.js';
import { RecordCounts } from './counting/record-counts.js';
import { Trash } from './writing/trash.js';

const FOLD_EVERY_MS = 5_000;
const PURGE_EVERY_MS = 3_600_000;
const TRASH_DAYS = 30;
const DAY_MS = 86_400_000;

/** Background jobs of records. Several processes may run them at once. */
@Injectable()
export class RecordJobs {
  constructor(
    private readonly counts: RecordCounts,
    private readonly trash: Trash,
    private readonly time: AgreedTime,
  ) {}

  @Job({
    name: 'records.fold-counts',
    every: FOLD_EVERY_MS,
    lock: 'counts',
    failure: 'the counts of records could not be folded',
  })
  async foldCounts(signal?: AbortSignal): Promise<void> {
    while (signal?.aborted !== true && (await this.counts.fold()) > 0);
  }

  @Job({ name: 'records.purge-trash', every: PURGE_EVERY_MS, lock: 'trash', failure: 'the trash could not be purged' })
  async purgeTrash(signal?: AbortSignal): Promise<void> {
    await this.trash.purge((await this.time.now()) - TRASH_DAYS * DAY_MS, signal);
  }
}
