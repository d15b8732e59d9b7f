import type { EntityManager } from 'typeorm';
import { addIndexingTask } from '../../search/indexing/indexing-queue.js';
import { restore, type Restored } from '../../transfer/backup/restore/restore.js';
import { digestTable } from './backup.js';
import type { Define, Outcome } from '../command.js';
import type { Invocation } from '../invocation.js';
import { noteDone } from '../operator-events.js';
import { withProgress } from '../progress.js';

/** Rights that were taken after the backup was made are back with it. */
const REVIVED =
  'API tokens that were revoked since then, users who were disabled or deleted, and former passwords count again. Before the service starts, repeat what must not count: user disable, token revoke.';

export const restoreCommand: Define = (program, act) => {
  program
    .command('restore <file>')
    .description('Fill an empty database of any kind from a backup. The service must not run.')
    .option('--verify', 'Read everything back and compare it with the backup.')
    .option('--force', 'Replace what the database holds.')
    .action(act(run));
};

async function run(
  invocation: Invocation,
  file: string,
  options: Partial<Record<'verify' | 'force', true>>,
): Promise<Outcome> {
  const { force: isForced = false, verify: isVerified = false } = options;
  const dialect = invocation.dialect();
  const orderIndexing = (manager: EntityManager) => addIndexingTask(manager, 'all', 0, Date.now());
  const order = { file, isForced, isVerified, orderIndexing };
  const restored = await withProgress((progress) => restore(dialect, order, progress));
  const outcome = outcomeOf(restored, dialect.label);
  if (outcome.isFailed) return outcome;
  const details = { created_at: restored.header.created_at, sha256: restored.digest.sha256 };
  // In the audit that was restored.
  return { ...outcome, ...(await noteDone(dialect, { event: 'backup.restored', details })) };
}

function outcomeOf({ header, digest, found, differing }: Restored, label: string): Outcome {
  const end =
    differing.length > 0
      ? `These tables are not as they were: ${differing.join(', ')}. The service does not start on this database; restore again.`
      : `${label} holds the backup of ${header.created_at}${found ? ', and everything was read back as it was' : ''}.\n${REVIVED}`;
  return {
    text: [digestTable(found ?? digest), end].join('\n'),
    json: { created_at: header.created_at, digest, found, differing },
    isFailed: differing.length > 0,
  };
}
