import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { STATUSES, type CompiledType } from '../content-types/content-type.js';
import { ContentTypes } from '../content-types/content-types.service.js';
import { markdownOf } from '../transfer/export/export-text.js';
import { Exporter, type ExportWish } from '../transfer/export/exporter.service.js';
import { LosslessExporter } from '../transfer/lossless/lossless-exporter.service.js';
import { OWNER_ONLY, writeWhole } from '../transfer/whole-file.js';
import { WrongUse, type Command, type Given } from './command.js';
import { Progress } from './progress.js';
import { OPERATOR, type Session } from './session.js';

const MARKDOWN = 'markdown';
const MAX_NAME_BYTES = 200;
const LOSSLESS = 'ndjson';
const FORMATS = [LOSSLESS, 'csv', MARKDOWN] as const;
const STANDARD_OUTPUT = '-';

export const exportCommand: Command = {
  name: 'export',
  summary: 'Write all content for another database into a file, or records as a table or as Markdown files.',
  options: {
    out: {
      value: '<file|folder|->',
      help: 'Where to write; a folder for Markdown, - for standard output.',
      isRequired: true,
    },
    format: { value: `<${FORMATS.join('|')}>`, help: 'Otherwise ndjson, which has everything.' },
    type: { value: '<name>', help: 'Only records of this content type; a table can hold no other.' },
  },
  async run(given, session) {
    const { out = '' } = given.texts;
    const format = formatOf(given);
    const counts = format === LOSSLESS ? await writeAll(given, session) : await writeRecords(given, session, format);
    const isElsewhere = out === STANDARD_OUTPUT;
    const { records } = counts;
    const text = `Written: ${records === undefined ? '' : `${records} records into `}${out}`;
    return { json: { out, format, ...counts }, text, isElsewhere };
  },
};

function formatOf({ texts: { format: asked = LOSSLESS, type, out } }: Given): (typeof FORMATS)[number] {
  const format = FORMATS.find((one) => one === asked);
  if (!format) throw new WrongUse(`--format must be one of: ${FORMATS.join(', ')}.`);
  if (format === 'csv' && type === undefined) throw new WrongUse('A table needs a --type.');
  if (format === MARKDOWN && out === STANDARD_OUTPUT) throw new WrongUse('Markdown needs a folder.');
  return format;
}

interface Counts {
  readonly records?: number;
  readonly revisions?: number;
}

async function writeAll({ texts: { out = '', type } }: Given, session: Session): Promise<Counts> {
  const exporter = await session.get(LosslessExporter);
  const progress = new Progress();
  let counts: Counts = {};
  try {
    await exporter.run({ type: type ?? null, progress }, async (lines) => {
      const counted = async function* (): AsyncGenerator<string> {
        counts = yield* lines;
      };
      await writeText(counted(), out, session);
    });
    return counts;
  } finally {
    progress.stop();
  }
}

async function writeRecords(given: Given, session: Session, format: 'csv' | 'markdown'): Promise<Counts> {
  const { out = '' } = given.texts;
  const exporter = await session.get(Exporter);
  const wish = { types: await typesOf(given, session), statuses: STATUSES, caller: OPERATOR };
  if (format === MARKDOWN) return { records: await writeFiles(exporter, wish, out) };
  await writeText(exporter.text(format, wish), out, session);
  return {};
}

async function writeText(text: AsyncGenerator<string>, out: string, session: Session): Promise<void> {
  if (out === STANDARD_OUTPUT) return pipeline(Readable.from(text), session.standardOutput(), { end: false });
  // `flush`: what gets its name must be on the disk.
  await writeWhole(resolve(out), (partial) =>
    pipeline(Readable.from(text), createWriteStream(partial, { mode: OWNER_ONLY, flush: true })),
  );
}

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
