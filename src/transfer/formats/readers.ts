import { readCsv } from './csv/csv.js';
import type { ExternalFormat } from './guess-format.js';
import type { ImportReader } from './import-entry.js';
import { readMarkdown } from './markdown/markdown.js';
import { readWxr } from './wxr/wxr.js';

export const READERS: Readonly<Record<ExternalFormat, ImportReader>> = {
  markdown: readMarkdown,
  wxr: readWxr,
  csv: readCsv,
};
