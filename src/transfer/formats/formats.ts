import { extname } from 'node:path';
import { readCsv } from './csv/csv.js';
import type { ImportReader } from './import-entry.js';
import { readMarkdown } from './markdown/markdown.js';
import { readNdjson } from './ndjson/ndjson.js';
import { readWxr } from './wxr/wxr.js';

export const FORMATS = ['markdown', 'wxr', 'csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

export const READERS: Readonly<Record<Format, ImportReader>> = {
  markdown: readMarkdown,
  wxr: readWxr,
  csv: readCsv,
  ndjson: readNdjson,
};

const BY_ENDING: Readonly<Partial<Record<string, Format>>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.mdown': 'markdown',
  '.mkd': 'markdown',
  '.xml': 'wxr',
  '.wxr': 'wxr',
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'ndjson',
};

/** The format of a file by its name; `null`: its ending says nothing. */
export function guessFormat(path: string): Format | null {
  return BY_ENDING[extname(path).toLowerCase()] ?? null;
}
