import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { unwritable } from '../atomic-file.js';
import { expiredBackups, type KeepRule } from './backup-retention.js';

/**
 * Removes the backups of a folder that no rule keeps, and no other file.
 *
 * @param written path of the backup that was just written: it stays, whatever times the others claim
 * @returns their names, the newest first
 * @throws {TransferError} one of them cannot be removed
 */
export async function removeExpired(written: string, rules: readonly KeepRule[]): Promise<readonly string[]> {
  const folder = dirname(written);
  const expired = expiredBackups(await readdir(folder), rules).filter((name) => name !== basename(written));
  for (const name of expired) {
    await rm(join(folder, name), { force: true }).catch((error: unknown) => {
      throw unwritable(join(folder, name), error);
    });
  }
  return expired;
}
