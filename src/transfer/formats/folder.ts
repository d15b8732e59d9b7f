import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Leftover, Unreadable } from './import-entry.js';

/** A file to read, by its path and as the report names it. */
export interface FoundFile {
  readonly kind: 'file';
  readonly path: string;
  /** Below the folder, with `/` on every system: `2024/hello.md`. */
  readonly name: string;
}

/** The files of a folder and of the folders in it, in one order everywhere; a single file is itself. */
export async function* filesIn(path: string): AsyncGenerator<FoundFile | Leftover | Unreadable> {
  if ((await stat(path)).isDirectory()) yield* walk(path, '');
  else yield { kind: 'file', path, name: basename(path) };
}

async function* walk(folder: string, below: string): AsyncGenerator<FoundFile | Leftover | Unreadable> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
  if (entries === null) {
    yield { kind: 'unreadable', file: below, line: 0, message: 'The folder cannot be opened.' };
    return;
  }
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    const path = join(folder, entry.name);
    const passed = passedOver(entry, name);
    if (passed) yield passed;
    else if (entry.isDirectory()) yield* walk(path, name);
    else yield { kind: 'file', path, name };
  }
}

/** Links may lead out of the folder or around in a circle; hidden files belong to tools. */
function passedOver(entry: Dirent, file: string): Leftover | null {
  const leftover = (what: string, reason: string): Leftover => ({ kind: 'leftover', what, reason, file, line: 0 });
  if (entry.name.startsWith('.')) return leftover('hidden files', 'Hidden files and folders are passed over.');
  if (entry.isSymbolicLink()) return leftover('symbolic links', 'Links are not followed: they may lead anywhere.');
  if (entry.isDirectory() || entry.isFile()) return null;
  return leftover('special files', 'Only files and folders are read.');
}
