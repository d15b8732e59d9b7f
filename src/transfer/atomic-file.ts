import { open, realpath, rename, rm, stat, readdir } from 'node:fs/promises';
import { dirname, basename, join } from 'node:path';
import { TransferError } from './transfer-error.js';

/** `mine.4711.partial`, which was to become `mine` */
const PARTIAL = /^(.+)\.\d+\.partial$/;
/** A file that grows has waited for the database or the disk for no longer. */
const ABANDONED_AFTER_MS = 86_400_000;

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
    const target = PARTIAL.exec(name)?.[1];
    if (target === undefined || !isOurs(target)) continue;
    const found = await stat(join(folder, name)).catch(() => null);
    if (!found?.isFile() || found.mtimeMs >= before) continue;
    await rm(join(folder, name), { force: true });
    removed.push(name);
  }
  return removed;
}

/** For files that have accounts in them. */
export const OWNER_ONLY = 0o600;

const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'The folder is not there.'],
  ['ENOTDIR', 'There is a file in the place of a folder.'],
  ['EEXIST', 'There is a file in the place of a folder.'],
  ['EACCES', 'This account may not write there.'],
  ['EPERM', 'This account may not write there.'],
  ['EROFS', 'The disk is for reading only.'],
  ['ENOSPC', 'The disk is full.'],
  ['EDQUOT', 'The disk is full.'],
  ['ENAMETOOLONG', 'The name is too long.'],
  ['EFBIG', 'The disk takes no file of this size.'],
  ['EIO', 'The disk is broken.'],
  ['EPIPE', 'The program that reads it has ended.'],
]);

/**
 * Writes a file atomically: it gets its name when it is complete and synced to the disk. What a killed process has
 * left of a file of this name is removed then.
 *
 * @param write fills a file of the name that it is given, down to the disk
 * @throws {TransferError} the file cannot be written
 */
export async function writeAtomically<Result>(
  target: string,
  write: (partial: string) => Promise<Result>,
): Promise<Result> {
  const file = await fileAt(target);
  const partial = `${file}.${process.pid}.partial`;
  try {
    const result = await write(partial);
    await rename(partial, file);
    await sync(dirname(file));
    // Their folder may be unreadable, which is no failure of the new one.
    await removeAbandoned(file, (name) => name === basename(file)).catch(() => undefined);
    return result;
  } catch (error) {
    throw unwritable(target, error);
  } finally {
    await rm(partial, { force: true });
  }
}

/** The failure of a write in words for people; any other error stays as it is. */
export function unwritable(target: string, error: unknown): unknown {
  const reason = REASONS.get((error as { code?: unknown }).code);
  if (reason === undefined) return error;
  return new TransferError('output_unwritable', `${target} cannot be written. ${reason}`, { cause: error });
}

/** The file that a link leads to. A device must never lose its name to a file. */
async function fileAt(target: string): Promise<string> {
  const found = await stat(target).catch(() => null);
  if (!found) return target;
  if (found.isFile()) return realpath(target);
  const what = found.isDirectory() ? 'a folder' : 'no file';
  throw new TransferError('output_unwritable', `${target} is ${what}. Give the name of a file.`);
}

/** So that a power cut does not take the new name back. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
