import { auditQuery, AuditReader, type AuthEventDto } from '../../audit/audit-reader.js';
import type { Define, Outcome } from '../command.js';
import type { Invocation } from '../invocation.js';
import { table } from '../table.js';

export const auditCommands: Define = (program, act) => {
  const audit = program.command('audit').description('Read the audit.');
  audit
    .command('list')
    .description('List the last 100 events of the audit, the newest first.')
    .option('--user <id>', 'About this user.')
    .option('--event <name>', 'Only events of this name: login, token.created.')
    .option('--since <instant>', 'At this moment or later: 2030-01-31T00:00:00Z.')
    .action(act(list));
};

type Filters = Partial<Record<'user' | 'event' | 'since', string>>;

async function list(invocation: Invocation, { user, ...filters }: Filters): Promise<Outcome> {
  const query = new URLSearchParams({ ...filters, ...(user === undefined ? {} : { user_id: user }), per_page: '100' });
  const { data } = await (await invocation.get(AuditReader)).page(auditQuery(query));
  const head = ['AT', 'EVENT', 'OUTCOME', 'USER', 'BY', 'FROM', 'REASON'];
  return { json: data, text: table(head, data.map(rowOf)) };
}

function rowOf({ at, event, outcome, user_id: user, email, actor, ip, reason }: AuthEventDto): string[] {
  return [at, event, outcome, email ?? String(user ?? ''), actor?.name ?? '', ip ?? '', reason ?? ''];
}
