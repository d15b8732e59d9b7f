import type { DataSource } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { withRunner } from '../statements/reads.js';

/** Is there as long as the database holds a part of a backup only. No migration knows it. */
const MARK = 'unfinished_restore';

export function isRestoreUnfinished(source: DataSource): Promise<boolean> {
  return withRunner(source, (runner) => runner.hasTable(MARK));
}

/** From here on no process takes the database for a whole one, whatever happens to this process. */
export async function markRestore(source: DataSource): Promise<void> {
  await source.query(`CREATE TABLE IF NOT EXISTS ${MARK} (n INTEGER PRIMARY KEY)`);
}

export async function endRestore(source: DataSource): Promise<void> {
  await source.query(`DROP TABLE ${MARK}`);
}

/** @throws {DomainError} not_ready: a restore did not come to its end */
export async function requireRestored(source: DataSource): Promise<void> {
  if (!(await isRestoreUnfinished(source))) return;
  throw new DomainError(
    'not_ready',
    'The database holds only a part of a backup: a restore is under way or was interrupted. Run: npm run cli -- restore <file>.',
  );
}
