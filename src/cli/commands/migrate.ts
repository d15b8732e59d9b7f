import { migrate } from '../../database/schema/migrate.js';
import { requireKnownSchema } from '../../database/schema/newer-schema-error.js';
import { requireRestored } from '../../database/schema/unfinished-restore.js';
import { Writer } from '../../database/statements/writer.js';
import type { Command } from '../command.js';

/** Works without the service, which refuses to start on tables that are not its own. */
export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Bring the tables of the database up to date.',
  options: {},
  async run(_, invocation) {
    const writer = await Writer.open(invocation.dialect());
    const migrations: string[] = [];
    try {
      await requireRestored(writer.source);
      await requireKnownSchema(writer.source);
      await migrate(writer, (name) => migrations.push(name));
    } finally {
      await writer.onApplicationShutdown();
    }
    const text = migrations.length === 0 ? 'The database is up to date.' : `Migrated:\n  ${migrations.join('\n  ')}`;
    return { json: { migrations }, text };
  },
};
