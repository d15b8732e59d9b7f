import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const PARTIAL = /^(.+)\.\d+\.partial$/;
/** A file that grows has waited for the database or the disk for no longer. */
const ABANDONED_AFTER_MS = 86_400_000;

/** `mine.4711.partial` -> `mine`, which it was to become; `null`: it is no such file. */
function targetOf(partial: string): string | null {
  return PARTIAL.exec(partial)?.[1] ?? null;
}

/**
 * Removes what killed processes have left of files, when it has not grown for a day. Ages are the distances from the file
 * that was just written: both have the time of the file system, so the clock of this machine does not matter. A process
 * that stood still for so long fails in the end, and nothing gets its name.
 *
 * @param written path of a file that was just written
 * @param isOurs by the name that the file would have got
 * @returns names of the files that were removed, sorted
 * @throws {Error} of the file system
 */
export async function removeAbandoned(written: string, isOurs: (target: string) => boolean): Promise<string[]> {
  const folder = dirname(written);
  const before = (await stat(written)).mtimeMs - ABANDONED_AFTER_MS;
  const removed: string[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const target = targetOf(name);
    if (target === null || !isOurs(target)) continue;
    const found = await stat(join(folder, name)).catch(() => null);
    if (!found?.isFile() || found.mtimeMs >= before) continue;
    await rm(join(folder, name), { force: true });
    removed.push(name);
  }
  return removed;
}

/** {@link removeAbandoned} for files of one name. Their folder may be unreadable, which is no failure of the new one. */
export async function removeAbandonedOf(written: string): Promise<void> {
  await removeAbandoned(written, (target) => target === basename(written)).catch(() => undefined);
}
