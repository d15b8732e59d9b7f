import { counted } from '../../common/text/counted.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import { Cluster } from '../../search/opensearch/cluster.js';
import { Generations } from '../../search/opensearch/generations.js';
import { SearchReindex } from '../../search/indexing/search-reindex.js';
import type { Command } from '../command.js';
import { Progress } from '../progress.js';
import { UsageError } from '../usage-error.js';

const reindex: Command = {
  name: 'search reindex',
  summary: 'Index all records anew, or those of one type. Can be stopped and called again; the service may run.',
  options: { type: { value: '<name>', help: 'Only records of this content type.' } },
  async run({ values: { type: name } }, invocation) {
    const typeId = name === undefined ? null : (await (await invocation.get(ContentTypesService)).require(name)).id;
    const work = await invocation.get(SearchReindex);
    const progress = new Progress();
    let records = 0;
    try {
      const { left, isResumed } = await work.begin(typeId);
      progress.start(left, isResumed ? 'Indexing, continued' : 'Indexing');
      for await (const step of work.steps()) {
        records += step.records;
        progress.advance(step.records);
      }
    } finally {
      progress.stop();
    }
    return { json: { type: name ?? null, records }, text: `Indexed ${counted(records, 'record')}.` };
  },
};

const rebuild: Command = {
  name: 'search rebuild',
  summary:
    'Order a new index of OpenSearch (SEARCH_URL) out of what the database has. The service builds it, and searches the former one until it is complete.',
  async run(_, invocation) {
    const { searchServer } = invocation.settings();
    if (!searchServer) throw new UsageError('SEARCH_URL is not set: the database is searched. Use: search reindex.');
    const cluster = new Cluster(searchServer);
    try {
      const generations = new Generations(cluster);
      const { serving, building } = await generations.plan();
      const { name } = building ?? (await generations.create());
      const text = `${name} is being built by the service; ${serving ? `${serving.name} is searched` : 'searches are 503'} until then.`;
      return { json: { index: name, serving: serving?.name ?? null }, text };
    } finally {
      await cluster.close();
    }
  },
};

export const searchCommands: readonly Command[] = [reindex, rebuild];
