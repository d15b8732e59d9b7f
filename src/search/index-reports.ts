import { Injectable } from '@nestjs/common';
import { DERIVED_INDEX_STATES, DerivedIndexes, type DerivedIndexReport } from '../common/derived-indexes.js';
import { Metrics, single } from '../common/metrics/metrics.js';
import { DerivedSearchIndex } from './derived-search-index.js';
import { SearchIndex } from './search-index.js';

/** Shows how far an index beside the database is behind it: to administrators and as metrics. */
@Injectable()
export class IndexReports {
  constructor(index: SearchIndex, indexes: DerivedIndexes, metrics: Metrics) {
    if (!(index instanceof DerivedSearchIndex)) return;
    indexes.add(() => index.report());
    measure(metrics, () => index.report());
  }
}

function measure(metrics: Metrics, look: () => Promise<DerivedIndexReport>): void {
  const gauge = (name: string, help: string, of: (report: DerivedIndexReport) => number | null): void => {
    metrics.gauge({ name, help, labels: [] }, async () => {
      const value = of(await look());
      return value === null ? [] : single(value);
    });
  };
  gauge(
    'cms_search_lag_seconds',
    'How long ago the oldest change was written that the index beside the database lacks; 0: it has all.',
    ({ oldestSeconds }) => oldestSeconds,
  );
  gauge(
    'cms_search_changes_behind',
    'Changes that the index beside the database lacks, up to 10,000.',
    ({ changesBehind }) => changesBehind,
  );
  metrics.gauge<{ state: DerivedIndexReport['state'] }>(
    {
      name: 'cms_search_index_state',
      help: 'The state of the index beside the database: 1 for one.',
      labels: ['state'],
    },
    async () => {
      const { state: current } = await look();
      return DERIVED_INDEX_STATES.map((state) => ({ labels: { state }, value: state === current ? 1 : 0 }));
    },
  );
}
