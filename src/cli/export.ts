import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { STATUSES, type CompiledType } from '../content-types/content-type.js';
import { ContentTypes } from '../content-types/content-types.service.js';
import { markdownOf } from '../transfer/export/export-text.js';
import { Exporter, STREAMED, type ExportWish } from '../transfer/export/exporter.service.js';
import { WrongUse, type Command, type Given } from './command.js';
import { Progress } from './progress.js';
import { OPERATOR, type Session } from './session.js';

const MARKDOWN = 'markdown';
const MAX_NAME_BYTES = 200;
const FORMATS = [...STREAMED, MARKDOWN] as const;

export const exportCommand: Command = {
  name: 'export',
  summary: 'Write all records of one type, or of all, into a file or into a folder of Markdown files.',
  options: {
    out: { value: '<file|folder>', help: 'Where to write; a folder for Markdown.', isRequired: true },
    format: { value: `<${FORMATS.join('|')}>`, help: 'Otherwise ndjson.' },
    type: { value: '<name>', help: 'Only records of this content type; a table can hold no other.' },
  },
  async run(given, session) {
    const { out = '', format: asked = 'ndjson' } = given.texts;
    const format = FORMATS.find((one) => one === asked);
    if (!format) throw new WrongUse(`--format must be one of: ${FORMATS.join(', ')}.`);
    if (format === 'csv' && given.texts.type === undefined) throw new WrongUse('A table needs a --type.');
    const exporter = await session.get(Exporter);
    const wish = { types: await typesOf(given, session), statuses: STATUSES, caller: OPERATOR };
    if (format !== MARKDOWN) {
      await pipeline(Readable.from(exporter.text(format, wish)), createWriteStream(out));
      return { json: { out, format }, text: `Written: ${out}` };
    }
    const records = await writeFiles(exporter, wish, out);
    return { json: { out, format, records }, text: `Written: ${records} files into ${out}` };
  },
};

async function typesOf({ texts: { type } }: Given, session: Session): Promise<readonly CompiledType[]> {
  const types = await session.get(ContentTypes);
  return type === undefined ? types.all() : [await types.require(type)];
}

/** A folder for each type, and in it a file for each record, called after its slug. */
async function writeFiles(exporter: Exporter, wish: ExportWish, out: string): Promise<number> {
  const progress = new Progress();
  let records = 0;
  progress.start(0, 'Exporting');
  try {
    for (const type of wish.types) {
      const folder = join(out, type.name);
      await mkdir(folder, { recursive: true });
      for await (const views of exporter.records(type, wish)) {
        for (const view of views) {
          await writeFile(join(folder, fileNameOf(view)), markdownOf(view, type));
        }
        records += views.length;
        progress.advance(views.length);
      }
    }
  } finally {
    progress.stop();
  }
  return records;
}

/** Slugs of two languages may be the same, and one with many letters may be longer than a name of a file. */
function fileNameOf({ id, slug, locale }: Readonly<Record<string, unknown>>): string {
  const name = typeof slug === 'string' ? slug : String(id);
  const suffix = locale === 'en' ? '' : `.${String(locale)}`;
  return Buffer.byteLength(name) > MAX_NAME_BYTES ? `${String(id)}${suffix}.md` : `${name}${suffix}.md`;
}
