import { InvalidArgumentError } from 'commander';
import { join } from 'node:path';
import { Clock } from '../../common/clock.js';
import { backUp, digestDatabase, type Backup } from '../../transfer/backup/backup.js';
import { backupName, removeOldest } from '../../transfer/backup/backup-folder.js';
import type { Digest } from '../../transfer/backup/digest.js';
import type { Define, Outcome } from '../command.js';
import type { Invocation } from '../invocation.js';
import { noteDone } from '../operator-events.js';
import { withProgress } from '../progress.js';
import { table } from '../table.js';

const KEEP =
  '<file> is a folder: write a file named by the database and the time into it, and remove all but so many of the newest ones of this database.';

export const backupCommands: Define = (program, act) => {
  program
    .command('backup <file>')
    .description('Write the whole database into one file. The service may run.')
    .option('--keep <number>', KEEP, count)
    .action(act(backup));
  program
    .command('digest')
    .description('Print the rows and the digest of each table, as a backup would have them.')
    .action(act(digest));
};

async function backup(invocation: Invocation, path: string, { keep }: { keep?: number }): Promise<Outcome> {
  const clock = new Clock();
  const dialect = invocation.dialect();
  const file = keep === undefined ? path : join(path, backupName(dialect.label, clock.now()));
  const written = await withProgress((progress) => backUp(dialect, file, clock, progress));
  const removed = keep === undefined ? null : await removeOldest(written.file, keep);
  const details = { bytes: written.sizeBytes, sha256: written.digest.sha256 };
  const noted = await noteDone(dialect, { event: 'backup.written', details });
  return { ...shown(written, removed), ...noted };
}

async function digest(invocation: Invocation): Promise<Outcome> {
  const found = await withProgress((progress) => digestDatabase(invocation.dialect(), progress));
  return { json: found, text: digestTable(found) };
}

/** @param removed names of earlier backups; `null`: none was asked to go */
function shown(written: Backup, removed: readonly string[] | null): Pick<Outcome, 'json' | 'text'> {
  const { file, sizeBytes, digest: content } = written;
  const lines = [
    digestTable(content),
    ...(removed ?? []).map((name) => `Removed ${name}.`),
    `${file} has ${sizeBytes} bytes. Keep APP_SECRET with it, but not in it.`,
  ];
  const json = { file, size_bytes: sizeBytes, digest: content, ...(removed && { removed }) };
  return { json, text: lines.join('\n') };
}

function count(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a number of files, such as 14.');
}

export function digestTable({ tables, sha256 }: Digest): string {
  const rows = tables.map((of) => [of.name, String(of.rows), of.sha256]);
  const total = tables.reduce((sum, of) => sum + of.rows, 0);
  return table(['TABLE', 'ROWS', 'SHA-256'], [...rows, ['all', String(total), sha256]]);
}
