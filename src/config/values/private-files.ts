import { chmodSync, statSync } from 'node:fs';
import type { Settings } from '../settings.js';

/** Bits of a mode that are for others than the owner. */
const OF_OTHERS = 0o077;
/** The ends of the files that SQLite keeps beside its own. */
const PARTS = ['', '-wal', '-shm'];

/** Has every new file and folder of this process be its owner's alone: they hold accounts, hashes and mails. */
export function keepNewFilesPrivate(): void {
  process.umask(OF_OTHERS);
}

/** Takes the rights of others from `DATA_DIR` and the SQLite database. @returns a sentence for each that kept them */
export function withoutRightsOfOthers({ dataDir, database }: Pick<Settings, 'dataDir' | 'database'>): string[] {
  const files = database.kind === 'sqlite' ? PARTS.map((part) => `${database.file}${part}`) : [];
  return [dataDir, ...files].flatMap((path) => {
    const failure = tightened(path);
    return failure === null
      ? []
      : [`${path} may be open to other users of this machine: ${failure}. Run: chmod go= ${path}`];
  });
}

/** @returns the code of the failure; `null`: there is no such file, or it is the owner's alone */
function tightened(path: string): string | null {
  try {
    const mode = statSync(path).mode & 0o777;
    if ((mode & OF_OTHERS) !== 0) chmodSync(path, mode & ~OF_OTHERS);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? null : (code ?? String(error));
  }
}
