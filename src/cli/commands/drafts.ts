import { SERVICE } from '../../common/access/caller.js';
import { DraftListService, type ListedDraft } from '../../publishing/draft-list.service.js';
import type { Define, Outcome } from '../command.js';
import type { Invocation } from '../invocation.js';
import { table } from '../table.js';

const HEAD = ['RECORD', 'STATUS', 'TITLE', 'CHANGED', 'CONFLICTS', 'FAULTS', 'SAVED', 'BY'];

export const draftCommands: Define = (program, act) => {
  const drafts = program.command('drafts').description('Read the working copies.');
  drafts
    .command('list')
    .description('List the last 100 working copies, those that were saved last first.')
    .option('--type <name>', 'Only of records of this content type.')
    .action(act(list));
};

async function list(invocation: Invocation, options: { type?: string }): Promise<Outcome> {
  const query = new URLSearchParams({ per_page: '100', ...options });
  const { data } = await (await invocation.get(DraftListService)).page(query, SERVICE);
  return { json: data, text: table(HEAD, data.map(rowOf)) };
}

function rowOf({ record, changed, conflicts, faults, updated_at: at, updated_by: by }: ListedDraft): string[] {
  const { type, id, status, title } = record;
  return [`${type}/${id}`, status, title, changed.join(' '), String(conflicts), String(faults), at, by.name];
}
