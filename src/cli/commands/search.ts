import { counted } from '../../common/text/counted.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import { SearchReindex } from '../../search/indexing/search-reindex.js';
import type { Define, Outcome } from '../command.js';
import type { Invocation } from '../invocation.js';
import { withProgress } from '../progress.js';

export const searchCommands: Define = (program, act) => {
  const search = program.command('search').description('Index records for the search.');
  search
    .command('reindex')
    .description('Index all records again, or those of one type. Can be stopped and called again; the service may run.')
    .option('--type <name>', 'Only records of this content type.')
    .action(act(reindex));
};

async function reindex(invocation: Invocation, { type: name }: { type?: string }): Promise<Outcome> {
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
}
