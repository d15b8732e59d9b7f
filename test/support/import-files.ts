import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ImportEntry, ImportItem, ImportReader } from '../../src/transfer/formats/import-entry.js';

/** Files that the tests of an import keep. */
export const FIXTURES = join(__dirname, '..', 'fixtures', 'import');

/** A folder with these files, by their names, and how to get rid of it. */
export function folderOf(files: Readonly<Record<string, string | Buffer>>): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'cms-import-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** All that a reader finds. */
export async function entriesOf(read: ImportReader, path: string): Promise<ImportEntry[]> {
  const entries: ImportEntry[] = [];
  for await (const entry of read(path)) entries.push(entry);
  return entries;
}

/** What a reader finds in one file of this content. */
export async function readOne(read: ImportReader, name: string, content: string | Buffer): Promise<ImportEntry[]> {
  const { path, remove } = folderOf({ [name]: content });
  try {
    return await entriesOf(read, join(path, name));
  } finally {
    remove();
  }
}

export function items(entries: readonly ImportEntry[]): ImportItem[] {
  return entries.filter((entry) => entry.kind === 'item');
}

/** `file:line message` of all that is wrong. */
export function problems(entries: readonly ImportEntry[]): string[] {
  return entries.flatMap((entry) => {
    if (entry.kind === 'unreadable') return [`${entry.file}:${entry.line} ${entry.message}`];
    return entry.kind === 'item' ? entry.problems.map(({ file, line, message }) => `${file}:${line} ${message}`) : [];
  });
}
