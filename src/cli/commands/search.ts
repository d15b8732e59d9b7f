import { counted } from '../../common/text/counted.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import { DatabaseIdentity } from '../../search/opensearch/database-identity.js';
import { ForeignIndexError } from '../../search/opensearch/foreign-index-error.js';
import { Generations } from '../../search/opensearch/generations.js';
import { SearchReindex } from '../../search/indexing/search-reindex.js';
import type { Command, Outcome } from '../command.js';
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
  options: {
    'take-over': {
      help: 'Remove indexes of another database first, which has the name of SEARCH_URL and is not used any more.',
    },
  },
  async run({ switches }, invocation) {
    const { searchServer } = invocation.settings();
    if (!searchServer) throw new UsageError('SEARCH_URL is not set: the database is searched. Use: search reindex.');
    const generations = await invocation.get(Generations);
    const removed = switches.has('take-over') ? await generations.removeForeign() : [];
    const { serving, building, foreign } = await generations.plan();
    if (foreign) throw new ForeignIndexError(foreign);
    const { name: index } = building ?? (await generations.create());
    return ordered(index, serving?.name ?? null, removed);
  },
};

function ordered(index: string, serving: string | null, removed: readonly string[]): Outcome {
  const gone = removed.length > 0 ? `Removed ${removed.join(', ')} of another database. ` : '';
  const until = serving === null ? 'searches are 503' : `${serving} is searched`;
  return {
    json: { index, serving, removed },
    text: `${gone}${index} is being built by the service; ${until} until then.`,
  };
}

const separate: Command = {
  name: 'search separate',
  summary:
    'Have this database be another one to OpenSearch than the one that it is a copy of (made with the tools of the database). Run it before a service starts on the copy.',
  async run(_, invocation) {
    const { searchServer } = invocation.settings();
    if (!searchServer) throw new UsageError('SEARCH_URL is not set: the database is searched.');
    const identity = await (await invocation.get(DatabaseIdentity)).renew();
    const text = `This database is ${identity} from now on. Indexes of the one that it was copied from are left as they are.`;
    return { json: { identity }, text };
  },
};

export const searchCommands: readonly Command[] = [reindex, rebuild, separate];
