import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { readCsv } from './csv.js';
import type { ImportReader } from './import-entry.js';
import { readMarkdown } from './markdown.js';
import { readWxr } from './wxr.js';

export const FORMATS = ['markdown', 'wxr', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

export const READERS: Readonly<Record<Format, ImportReader>> = { markdown: readMarkdown, wxr: readWxr, csv: readCsv };

const BY_ENDING: Readonly<Partial<Record<string, Format>>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.mdown': 'markdown',
  '.mkd': 'markdown',
  '.xml': 'wxr',
  '.wxr': 'wxr',
  '.csv': 'csv',
};

/** What a path seems to hold; `null`: its ending says nothing. */
export async function guessFormat(path: string): Promise<Format | null> {
  if ((await stat(path)).isDirectory()) return 'markdown';
  return BY_ENDING[extname(path).toLowerCase()] ?? null;
}
