import { join } from 'node:path';
import { Clock } from '../../common/clock.js';
import { backUp, digestDatabase, type Backup } from '../../transfer/backup/backup.js';
import { removeExpired, backupName, keepRules, type KeepRule } from '../../transfer/backup/backup-retention.js';
import { leftOutText } from '../../transfer/backup/damaged-rows.js';
import type { Digest } from '../../transfer/backup/digest.js';
import type { Command, Outcome } from '../command.js';
import { identityOf } from '../../transfer/identity-of.js';
import { UsageError } from '../usage.js';
import { noteDone } from '../operator-events.js';
import { Progress } from '../progress.js';
import { table } from '../table.js';

const backup: Command = {
  name: 'backup',
  summary: 'Write the whole database into one file. The service may run.',
  positionals: ['<file>'],
  options: {
    'skip-damaged': { help: 'Leave out rows that no other database can hold; the command ends with 3 then.' },
    keep: {
      value: '<rules>',
      help: '<file> is a folder: write a file named by the database and the time into it, and remove those of this database that are older than the newest of each period. 7d,4w: of seven days and four weeks; h, m and y are hours, months and years.',
    },
  },
  async run({ positionals: [path = ''], switches, values }, invocation) {
    const rules = values.keep === undefined ? null : requireRules(values.keep);
    const progress = new Progress();
    const clock = new Clock();
    const dialect = invocation.dialect();
    try {
      const file = rules === null ? path : join(path, backupName(await identityOf(dialect), clock.now()));
      const order = { file, skipsDamaged: switches.has('skip-damaged') };
      const written = await backUp(dialect, order, clock, progress);
      const folder = rules === null ? null : await removeExpired(written.file, rules, clock.now());
      const details = { bytes: written.sizeBytes, sha256: written.digest.sha256 };
      const noted = await noteDone(dialect, { event: 'backup.written', details });
      return { ...shown(written, folder), isPartial: written.skipped !== null, ...noted };
    } finally {
      progress.stop();
    }
  },
};

const digest: Command = {
  name: 'digest',
  summary: 'Print the rows and the digest of each table, as a backup would have them.',
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

/** @param folder what has become of the other backups; `null`: none was asked to go */
function shown(
  written: Backup,
  folder: Awaited<ReturnType<typeof removeExpired>> | null,
): Pick<Outcome, 'json' | 'text'> {
  const { file, sizeBytes, digest: content, skipped } = written;
  const { removed, ahead } = folder ?? { removed: [], ahead: [] };
  const lines = [
    digestTable(content),
    ...(skipped ? [leftOutText(skipped)] : []),
    ...removed.map((name) => `Removed ${name}.`),
    ...ahead.map((name) => `${name} is of the future: a clock was ahead. It counts for no rule; rename or remove it.`),
    `${file} has ${sizeBytes} bytes. Keep APP_SECRET with it, but not in it.`,
  ];
  const json = {
    file,
    size_bytes: sizeBytes,
    digest: content,
    ...(skipped && { skipped }),
    ...folder,
  };
  return { json, text: lines.join('\n') };
}

function requireRules(text: string): readonly KeepRule[] {
  const rules = keepRules(text);
  if (rules) return rules;
  throw new UsageError(`--keep is "${text}" and takes rules such as 7d,4w,12m: a number and h, d, w, m or y for each.`);
}

/** One line for each table, and one for all of them. */
export function digestTable({ tables, sha256 }: Digest): string {
  const rows = tables.map((of) => [of.name, String(of.rows), of.sha256]);
  const total = tables.reduce((sum, of) => sum + of.rows, 0);
  return table(['TABLE', 'ROWS', 'SHA-256'], [...rows, ['all', String(total), sha256]]);
}
