import { readCsv } from './csv/csv.js';
import type { Format } from './guess-format.js';
import type { ImportReader } from './import-entry.js';
import { readMarkdown } from './markdown/markdown.js';
import { readNdjson } from './ndjson/ndjson.js';
import { readWxr } from './wxr/wxr.js';

export const READERS: Readonly<Record<Format, ImportReader>> = {
  markdown: readMarkdown,
  wxr: readWxr,
  csv: readCsv,
  ndjson: readNdjson,
};
