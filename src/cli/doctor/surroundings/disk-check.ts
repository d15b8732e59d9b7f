import { accessSync, constants, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { nearestFolder } from '../../../common/nearest-folder.js';
import type { Settings } from '../../../config/settings.js';
import type { Check, CheckResult } from '../check.js';

const MIB = 1_048_576;
/** The log of SQLite alone may take a hundred; with less a rush of writes fills the disk. */
const LEAST_FREE = 256 * MIB;

/** Whether the disks of the service have free space, and this user may write to them. */
export const diskCheck: Check<Settings> = {
  name: 'disk',
  look({ dataDir, database }) {
    const file = database.kind === 'sqlite' ? dirname(database.file) : dataDir;
    return [...new Set([resolve(dataDir), resolve(file)])].map(seen);
  },
};

function seen(folder: string): CheckResult {
  const place = nearestFolder(folder);
  const { bavail, bsize } = statfsSync(place);
  const free = `${Math.floor((bavail * bsize) / MIB)} MiB are free in ${folder}`;
  if (bavail * bsize < LEAST_FREE) {
    return {
      ok: false,
      message: `Only ${free}, less than ${LEAST_FREE / MIB}. Make room: writes fail when it is full.`,
    };
  }
  if (!isWritable(place))
    return { ok: false, message: `${place} cannot be written to by this user. Change its owner.` };
  return { ok: true, message: free };
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
