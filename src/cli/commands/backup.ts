import { Clock } from '../../common/clock.js';
import { backUp, digestDatabase } from '../../transfer/backup/backup.js';
import { leftOutText } from '../../transfer/backup/damaged-rows.js';
import type { Digest } from '../../transfer/backup/digest.js';
import type { Command } from '../command.js';
import { noteDone } from '../operator-events.js';
import { Progress } from '../progress.js';
import { table } from '../table.js';

const backup: Command = {
  name: 'backup',
  summary: 'Write the whole database into one file, while the service may go on.',
  positionals: ['<file>'],
  options: { 'skip-damaged': { help: 'Leave out rows that no other database could take; ends with 3 then.' } },
  async run({ positionals: [file = ''], switches }, invocation) {
    const progress = new Progress();
    const order = { file, skipsDamaged: switches.has('skip-damaged') };
    const dialect = invocation.dialect();
    try {
      const written = await backUp(dialect, order, new Clock(), progress);
      const { file: path, sizeBytes, digest, skipped } = written;
      const size = `${path} has ${sizeBytes} bytes. Keep APP_SECRET with it, but not in it.`;
      const text = [digestTable(digest), ...(skipped ? [leftOutText(skipped, 'of the backup')] : []), size].join('\n');
      const json = { file: path, size_bytes: sizeBytes, digest, ...(skipped ? { skipped } : {}) };
      const details = { bytes: sizeBytes, sha256: digest.sha256 };
      const noted = await noteDone(dialect, { event: 'backup.written', details });
      return { json, text, isPartial: skipped !== null, ...noted };
    } finally {
      progress.stop();
    }
  },
};

const digest: Command = {
  name: 'digest',
  summary: 'Print what a backup of the database would come to, and write none.',
  async run(_, invocation) {
    const progress = new Progress();
    try {
      const found = await digestDatabase(invocation.dialect(), progress);
      return { json: found, text: digestTable(found) };
    } finally {
      progress.stop();
    }
  },
};

export const backupCommands: readonly Command[] = [backup, digest];

/** One line for each table, and one for all of them. */
export function digestTable({ tables, sha256 }: Digest): string {
  const rows = tables.map((of) => [of.name, String(of.rows), of.sha256]);
  const total = tables.reduce((sum, of) => sum + of.rows, 0);
  return table(['TABLE', 'ROWS', 'SHA-256'], [...rows, ['all', String(total), sha256]]);
}
