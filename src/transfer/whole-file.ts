import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** For files that have accounts in them. */
export const OWNER_ONLY = 0o600;

/**
 * Writes a file that has its name only when it is complete and on the disk.
 *
 * @param write fills a file of the name that it is given, down to the disk
 */
export async function writeWhole<Result>(target: string, write: (partial: string) => Promise<Result>): Promise<Result> {
  const partial = `${target}.${process.pid}.partial`;
  try {
    const result = await write(partial);
    await rename(partial, target);
    await sync(dirname(target));
    return result;
  } finally {
    await rm(partial, { force: true });
  }
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
