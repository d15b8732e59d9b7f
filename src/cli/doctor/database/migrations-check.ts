import { appliedMigrations, MIGRATION_NAMES } from '../../../database/schema/migrate.js';
import { NewerSchemaError, unfitMigrations } from '../../../database/schema/newer-schema-error.js';
import type { Check, OpenDatabase, CheckResult } from '../check.js';

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

function seen(applied: readonly string[]): CheckResult {
  const unfit = unfitMigrations(applied);
  if (unfit.length > 0) return { ok: false, message: new NewerSchemaError(unfit).message };
  const pending = MIGRATION_NAMES.filter((name) => !applied.includes(name));
  if (pending.length === 0) return { ok: true, message: 'up to date' };
  return { ok: false, message: `${pending.length} pending: ${pending.join(', ')}. Run: npm run migrate.` };
}
