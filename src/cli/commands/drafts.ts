import { SERVICE } from '../../common/access/caller.js';
import { DraftListService, type ListedDraft } from '../../publishing/draft-list.service.js';
import type { Command } from '../command.js';
import { table } from '../table.js';

const HEAD = ['RECORD', 'STATUS', 'TITLE', 'CHANGED', 'CONFLICTS', 'FAULTS', 'SAVED', 'BY'];

const list: Command = {
  name: 'drafts list',
  summary: 'List the last 100 working copies, those that were saved last first.',
  options: { type: { value: '<name>', help: 'Only of records of this content type.' } },
  async run({ values: { type } }, invocation) {
    const query = new URLSearchParams({ per_page: '100', ...(type === undefined ? {} : { type }) });
    const { data } = await (await invocation.get(DraftListService)).page(query, SERVICE);
    return { json: data, text: table(HEAD, data.map(rowOf)) };
  },
};

export const draftCommands: readonly Command[] = [list];

function rowOf({ record, changed, conflicts, faults, updated_at: at, updated_by: by }: ListedDraft): string[] {
  const { type, id, status, title } = record;
  return [`${type}/${id}`, status, title, changed.join(' '), String(conflicts), String(faults), at, by.name];
}
