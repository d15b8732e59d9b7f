import { appliedMigrations, MIGRATION_NAMES } from '../../database/migrate.js';
import type { Check, OpenDatabase, Seen } from './check.js';

/** Whether the tables are those of this version. */
export const migrationsCheck: Check<OpenDatabase> = {
  name: 'migrations',
  async look({ source }) {
    const runner = source.createQueryRunner();
    try {
      return [seen(await appliedMigrations(runner))];
    } finally {
      await runner.release();
    }
  },
};

function seen(applied: readonly string[]): Seen {
  const unknown = applied.filter((name) => !MIGRATION_NAMES.includes(name));
  if (unknown.length > 0) {
    const message = `The database belongs to a newer version of the service, with ${unknown.join(', ')}. Install that one.`;
    return { ok: false, message };
  }
  const pending = MIGRATION_NAMES.filter((name) => !applied.includes(name));
  if (pending.length === 0) return { ok: true, message: 'up to date' };
  return { ok: false, message: `${pending.length} pending: ${pending.join(', ')}. Run: npm run migrate.` };
}
