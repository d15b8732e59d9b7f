import { Injectable } from '@nestjs/common';
import { Job } from '../common/jobs/job.decorator.js';
import { PartCounts } from './part-counts.js';

const FOLD_EVERY_MS = 5_000;
const DROP_EVERY_MS = 3_600_000;

/** Keeps the counts of the parts short. Several processes may do it at once. */
@Injectable()
export class SitemapJobs {
  constructor(private readonly counts: PartCounts) {}

  @Job({
    name: 'sitemap.fold-counts',
    every: FOLD_EVERY_MS,
    lock: 'sitemap',
    failure: 'the counts of the sitemap could not be folded',
  })
  async foldCounts(signal?: AbortSignal): Promise<void> {
    while (signal?.aborted !== true && (await this.counts.fold()) > 0);
  }

  @Job({
    name: 'sitemap.drop-abandoned',
    every: DROP_EVERY_MS,
    lock: 'sitemap',
    failure: 'abandoned parts of the sitemap could not be dropped',
  })
  dropAbandoned(): Promise<void> {
    return this.counts.dropAbandoned();
  }
}
