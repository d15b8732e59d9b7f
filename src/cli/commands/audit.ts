import { auditQuery, AuditReader, type AuthEventDto } from '../../audit/audit-reader.js';
import type { Command } from '../command.js';
import { table } from '../table.js';

const list: Command = {
  name: 'audit list',
  summary: 'List the last 100 events of the audit, the newest first.',
  options: {
    user: { value: '<id>', help: 'About this user.' },
    event: { value: '<name>', help: 'Only events of this name: login, token.created.' },
    since: { value: '<instant>', help: 'At this moment or later: 2030-01-31T00:00:00Z.' },
  },
  async run({ values: { user, event, since } }, invocation) {
    const filters = Object.entries({ user_id: user, event, since }).filter(([, text]) => text !== undefined);
    const query = new URLSearchParams([...(filters as [string, string][]), ['per_page', '100']]);
    const { data } = await (await invocation.get(AuditReader)).page(auditQuery(query));
    const head = ['AT', 'EVENT', 'OUTCOME', 'USER', 'BY', 'FROM', 'REASON'];
    return { json: data, text: table(head, data.map(rowOf)) };
  },
};

export const auditCommands: readonly Command[] = [list];

function rowOf({ at, event, outcome, user_id: user, email, actor, ip, reason }: AuthEventDto): string[] {
  return [at, event, outcome, email ?? String(user ?? ''), actor?.name ?? '', ip ?? '', reason ?? ''];
}
