import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { SettingsError, type Settings } from '../config/settings.js';

/** Makes `DATA_DIR` if it is missing. @throws {SettingsError} it cannot be made, or not be written to */
export function requireDataDir({ dataDir }: Pick<Settings, 'dataDir'>): void {
  const folder = resolve(dataDir);
  try {
    make(folder);
    // The slash: a file of this name is no folder.
    accessSync(`${folder}/`, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError([
      `DATA_DIR is ${folder}, and this user cannot write to that folder: ${code ?? String(error)}. Make it, give it to this user, or set DATA_DIR to another one.`,
    ]);
  }
}

/** `mkdirSync` with `recursive` never ends below `/proc` and its like, which say ENOENT though the parent is there. */
function make(folder: string): void {
  if (existsSync(folder)) return;
  make(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
