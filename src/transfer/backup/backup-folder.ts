import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { removeAbandoned } from '../abandoned-files.js';
import { unwritable } from '../atomic-file.js';
import { backupsAhead, expiredBackups, identityInName, type KeepRule } from './backup-retention.js';

/**
 * Removes the backups of a database that no rule keeps from a folder, and what killed ones have left; no other file.
 *
 * @param written path of the backup that was just written: it stays, whatever times the others claim. Its name says which database
 * @param now milliseconds since 1970, UTC
 * @returns their names, the newest first, and then those of what was left; and the backups that are of the future by their names
 * @throws {TransferError} one of them cannot be removed
 */
export async function removeExpired(
  written: string,
  rules: readonly KeepRule[],
  now: number,
): Promise<{ readonly removed: readonly string[]; readonly ahead: readonly string[] }> {
  const folder = dirname(written);
  const own = identityInName(basename(written));
  const names = (await readdir(folder)).filter((name) => own !== null && identityInName(name) === own);
  const expired = expiredBackups(names, rules, now).filter((name) => name !== basename(written));
  for (const name of expired) {
    await rm(join(folder, name), { force: true }).catch((error: unknown) => {
      throw unwritable(join(folder, name), error);
    });
  }
  const left = await removeAbandoned(written, (name) => own !== null && identityInName(name) === own).catch(
    (error: unknown) => {
      throw unwritable(folder, error);
    },
  );
  return { removed: [...expired, ...left], ahead: backupsAhead(names, now) };
}
