import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { unwritable, removeAbandoned } from '../atomic-file.js';

/** `cms-1f2e3d4c-2026-01-31T02-00-00Z.backup`: backups of one database begin alike. */
const NAME = /^(cms-[0-9a-f]{8}-)\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z\.backup$/;
const DATABASE_DIGITS = 8;

/**
 * Names a backup in a folder of them.
 *
 * @param database address of the database without a password: backups of another one in the same folder have other names
 * @param at milliseconds since 1970, UTC; seconds are what a name has
 */
export function backupName(database: string, at: number): string {
  const digits = createHash('sha256').update(database).digest('hex').slice(0, DATABASE_DIGITS);
  return `cms-${digits}-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`;
}

/**
 * Removes all but the newest backups of a database from a folder, by their names, and what killed ones have left; no other
 * file.
 *
 * @param written path of the backup that was just written: it is one of those that stay
 * @param count backups that stay
 * @returns names of the files that were removed
 * @throws {TransferError} one of them cannot be removed
 */
export async function removeOldest(written: string, count: number): Promise<readonly string[]> {
  const folder = dirname(written);
  const beginning = NAME.exec(basename(written))?.[1];
  const isOurs = (name: string): boolean => NAME.exec(name)?.[1] === beginning;
  try {
    const names = (await readdir(folder)).filter((name) => isOurs(name) && name !== basename(written));
    const oldest = names
      .sort()
      .toReversed()
      .slice(count - 1);
    for (const name of oldest) await rm(join(folder, name), { force: true });
    return [...oldest, ...(await removeAbandoned(written, isOurs))];
  } catch (error) {
    throw unwritable(folder, error);
  }
}
