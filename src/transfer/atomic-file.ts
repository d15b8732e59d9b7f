import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { removeAbandonedOf } from './abandoned-files.js';
import { TransferError } from './transfer-error.js';

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
    await removeAbandonedOf(file);
    return result;
  } catch (error) {
    throw unwritable(target, error);
  } finally {
    await rm(partial, { force: true });
  }
}

/** What the failure of a write says to people; what is none stays as it is. */
export function unwritable(target: string, error: unknown): unknown {
  const reason = REASONS.get((error as { code?: unknown }).code);
  if (reason === undefined) return error;
  return new TransferError('output_unwritable', `${target} cannot be written. ${reason}`, { cause: error });
}

/** Where a link leads to. A device must never lose its name to a file. */
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
