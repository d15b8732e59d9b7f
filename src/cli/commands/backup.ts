import { join } from 'node:path';
import { Clock } from '../../common/clock.js';
import { backUp, digestDatabase, type Backup } from '../../transfer/backup/backup.js';
import { removeExpired, backupName, keepRules, type KeepRule } from '../../transfer/backup/backup-retention.js';
import { leftOutText } from '../../transfer/backup/damaged-rows.js';
import type { Digest } from '../../transfer/backup/digest.js';
import type { Command, Outcome } from '../command.js';
import { UsageError } from '../usage-error.js';
import { noteDone } from '../operator-events.js';
import { Progress } from '../progress.js';
import { table } from '../table.js';
import { randomBytes } from 'node:crypto';
import type { Dialect } from '../../database/dialect/dialect.js';
import { readerOf, type Reader } from '../../database/statements/reads.js';
import { execute } from '../../database/statements/statement.js';
import { Writer } from '../../database/statements/writer.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { withSnapshot } from '../../transfer/backup/snapshot.js';
import { TransferError } from '../../transfer/transfer-error.js';

const BYTES = 8;

/**
 * The identity of a database, such as `'5f1c02ab9e3d4471'`. It is written when there is none yet.
 *
 * @throws {TransferError} when the tables are not those of this version, or it cannot be written
 */
async function identityOf(dialect: Dialect): Promise<string> {
  const found = await withSnapshot(dialect, ({ runner }) => identityIn(readerOf(runner.manager)));
  return found ?? (await written(dialect));
}

async function written(dialect: Dialect): Promise<string> {
  try {
    const writer = await Writer.open(dialect);
    return await write(writer).finally(() => writer.onApplicationShutdown());
  } catch (error) {
    throw new TransferError(
      'output_unwritable',
      `The database ${dialect.label} has no identity yet, by which its backups are named, and it could not be written. Run this once with an account that may write, or leave --keep out.`,
      { cause: error },
    );
  }
}

async function write(writer: Writer): Promise<string> {
  const sql = `${writer.dialect.insertOrIgnore} INTO database_identity (id, identity) VALUES (1, ?)`;
  await new UnitOfWork(writer).run((manager) => execute(manager, sql, [randomBytes(BYTES).toString('hex')]));
  // Of several processes that begin together, one leaves its own.
  const left = await identityIn(readerOf(writer.source.manager));
  if (left === null) throw new Error('The identity of the database was not written.');
  return left;
}

async function identityIn(reader: Reader): Promise<string | null> {
  const [row] = await reader.select<{ identity: string }>('SELECT identity FROM database_identity WHERE id = 1');
  return row?.identity ?? null;
}

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
