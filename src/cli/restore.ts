import { dialectFor } from '../database/dialect/dialect-for.js';
import { RecordCounts } from '../records/lists/record-counts.js';
import { restore, type Restored } from '../transfer/backup/restore.js';
import { digestTable } from './backup.js';
import type { Command, Outcome } from './command.js';
import { Progress } from './progress.js';
import type { Invocation } from './invocation.js';

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'Fill an empty database, of whatever kind, with a backup. The service must not run.',
  takes: ['<file>'],
  options: {
    verify: { help: 'Read everything back and compare it with the backup.' },
    force: { help: 'Replace what the database holds.' },
  },
  async run({ words: [file = ''], switches }, invocation) {
    const dialect = dialectFor(invocation.settings().database);
    const order = { file, isForced: switches.has('force'), isVerified: switches.has('verify') };
    const progress = new Progress();
    try {
      const restored = await restore(dialect, order, progress);
      if (restored.differing.length === 0) await foldCounts(invocation);
      return outcomeOf(restored, dialect.label);
    } finally {
      progress.stop();
    }
  },
};

/** A server leaves changes that wait to be counted, and a database with one writer counts without looking at them. */
async function foldCounts(invocation: Invocation): Promise<void> {
  const counts = await invocation.get(RecordCounts);
  while ((await counts.fold()) > 0);
}

function outcomeOf({ header, digest, found, differing }: Restored, label: string): Outcome {
  const end =
    differing.length > 0
      ? `These tables are not as they were: ${differing.join(', ')}. The service does not start on this database; restore again.`
      : `${label} holds the backup of ${header.created_at}${found ? ', and everything was read back as it was' : ''}.`;
  return {
    text: `${digestTable(found ?? digest)}\n${end}`,
    json: { created_at: header.created_at, digest, found, differing },
    isFailed: differing.length > 0,
  };
}
