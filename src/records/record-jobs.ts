import { Injectable } from '@nestjs/common';
import { Job } from '../common/jobs/job.decorator.js';
import { ContentTypesService } from '../content-types/store/content-types.service.js';
import { AgreedTime } from '../database/units/agreed-time.js';
import { UnitOfWork } from '../database/units/unit-of-work.js';
import { RecordCounts } from './counting/record-counts.js';
import { RecordRemoval } from './writing/record-removal.js';

const FOLD_EVERY_MS = 5_000;
const PURGE_EVERY_MS = 3_600_000;
const TRASH_DAYS = 30;
const DAY_MS = 86_400_000;

/** Background jobs of records. Several processes may run them at once. */
@Injectable()
export class RecordJobs {
  constructor(
    private readonly counts: RecordCounts,
    private readonly removal: RecordRemoval,
    private readonly types: ContentTypesService,
    private readonly unitOfWork: UnitOfWork,
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
    await this.purge((await this.time.now()) - TRASH_DAYS * DAY_MS, signal);
  }

  /**
   * Removes for good what was put into the trash before an instant, milliseconds since 1970, UTC.
   *
   * @returns how many records that were
   */
  async purge(before: number, signal?: AbortSignal): Promise<number> {
    let removed = 0;
    for (const { id } of await this.types.all()) {
      const condition = { sql: 'type_id = ? AND trashed_at > 0 AND trashed_at < ?', values: [id, before] };
      for (let batch = 1; batch > 0 && signal?.aborted !== true; removed += batch) {
        batch = await this.unitOfWork.run((manager) => this.removal.removeSome(manager, condition));
      }
    }
    return removed;
  }
}
