import { counted } from '../../common/text/counted.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import { SearchReindex } from '../../search/indexing/search-reindex.js';
import type { Command } from '../command.js';
import { withProgress } from '../progress.js';

const reindex: Command = {
  name: 'search reindex',
  summary: 'Index all records again, or those of one type. Can be stopped and called again; the service may run.',
  options: { type: { value: '<name>', help: 'Only records of this content type.' } },
  async run({ values: { type: name } }, invocation) {
    const typeId = name === undefined ? null : (await (await invocation.get(ContentTypesService)).require(name)).id;
    const work = await invocation.get(SearchReindex);
    let records = 0;
    await withProgress(async (progress) => {
      const { task, left, isResumed } = await work.begin(typeId);
      progress.start(left, isResumed ? 'Indexing, continued' : 'Indexing');
      for await (const done of work.steps(task)) {
        records += done;
        progress.advance(done);
      }
    });
    return { json: { type: name ?? null, records }, text: `Indexed ${counted(records, 'record')}.` };
  },
};

export const searchCommands: readonly Command[] = [reindex];
