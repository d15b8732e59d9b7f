import { migrate } from '../../database/schema/migrate.js';
import type { Command } from '../command.js';
import { withKnownSchema } from '../operator-events.js';

/** Works without the service, which refuses to start on tables that are not its own. */
export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Bring the tables of the database up to date.',
  async run(_, invocation) {
    const migrations: string[] = [];
    await withKnownSchema(invocation.dialect(), (writer) => migrate(writer, (name) => migrations.push(name)));
    const text = migrations.length === 0 ? 'The database is up to date.' : `Migrated:\n  ${migrations.join('\n  ')}`;
    return { json: { migrations }, text };
  },
};
