import { Injectable } from '@nestjs/common';
import { Metrics, single } from '../../common/metrics/metrics.js';
import { IndexingQueue } from './indexing-queue.js';

/** Shows what is yet to be indexed, by whichever process. */
@Injectable()
export class SearchMetrics {
  constructor(queue: IndexingQueue, metrics: Metrics) {
    metrics.gauge(
      {
        name: 'cms_search_queue',
        help: 'Jobs of indexing that are not done: a type, a term or all records.',
        labels: [],
      },
      async () => single(await queue.count()),
    );
  }
}
