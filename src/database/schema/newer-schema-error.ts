import type { DataSource } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { withRunner } from '../statements/reads.js';
import { appliedMigrations, MIGRATION_NAMES } from './migrate.js';

/** The tables belong to a newer version of the service: what this one writes might not be what that one means. */
export class NewerSchemaError extends DomainError {
  constructor(unfit: readonly string[]) {
    super(
      'not_ready',
      `The database belongs to a newer version of the service, with ${unfit.join(', ')}. Install that one.`,
    );
  }
}

const EXPANDING = 'Expand';

/** The applied migrations that this version cannot work with: unknown ones, expansions apart. */
export function unfitMigrations(applied: readonly string[]): readonly string[] {
  return applied.filter((name) => !MIGRATION_NAMES.includes(name) && !name.startsWith(EXPANDING));
}

/** @throws {NewerSchemaError} */
export async function requireKnownSchema(source: DataSource): Promise<void> {
  const unfit = unfitMigrations(await withRunner(source, appliedMigrations));
  if (unfit.length > 0) throw new NewerSchemaError(unfit);
}
