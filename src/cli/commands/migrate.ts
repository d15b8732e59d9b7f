import { migrate } from '../../database/schema/migrate.js';
import type { Define, Outcome } from '../command.js';
import type { Invocation } from '../invocation.js';
import { withKnownSchema } from '../operator-events.js';

export const migrateCommand: Define = (program, act) => {
  program.command('migrate').description('Bring the tables of the database up to date.').action(act(run));
};

/** Works without the service, which refuses to start on tables that are not its own. */
async function run(invocation: Invocation): Promise<Outcome> {
  const migrations: string[] = [];
  await withKnownSchema(invocation.dialect(), (writer) => migrate(writer, (name) => migrations.push(name)));
  const text = migrations.length === 0 ? 'The database is up to date.' : `Migrated:\n  ${migrations.join('\n  ')}`;
  return { json: { migrations }, text };
}
