import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { STATUSES, type CompiledType } from '../content-types/content-type.js';
import { ContentTypes } from '../content-types/content-types.service.js';
import { markdownOf } from '../transfer/export/export-markdown.js';
import { Exporter, type ExportWish } from '../transfer/export/exporter.service.js';
import type { RecordView } from '../records/record-view.js';
import { LosslessExporter } from '../transfer/lossless/lossless-exporter.service.js';
import { OWNER_ONLY, unwritable, writeWhole } from '../transfer/whole-file.js';
import { WrongUse, type Command, type Given } from './command.js';
import { Progress } from './progress.js';
import type { Invocation } from './invocation.js';
import { OPERATOR } from './operator.js';

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
  async run(given, invocation) {
    const { out = '' } = given.texts;
    const format = formatOf(given);
    const counts =
      format === LOSSLESS ? await writeAll(given, invocation) : await writeRecords(given, invocation, format);
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

async function writeAll({ texts: { out = '', type } }: Given, invocation: Invocation): Promise<Counts> {
  const exporter = await invocation.get(LosslessExporter);
  const progress = new Progress();
  let counts: Counts = {};
  try {
    await exporter.run({ type: type ?? null, progress }, async (lines) => {
      const counted = async function* (): AsyncGenerator<string> {
        counts = yield* lines;
      };
      await writeText(counted(), out, invocation);
    });
    return counts;
  } finally {
    progress.stop();
  }
}

async function writeRecords(given: Given, invocation: Invocation, format: 'csv' | 'markdown'): Promise<Counts> {
  const { out = '' } = given.texts;
  const exporter = await invocation.get(Exporter);
  const wish = { types: await typesOf(given, invocation), statuses: STATUSES, caller: OPERATOR };
  if (format === MARKDOWN) return { records: await writeFiles(exporter, wish, out) };
  await writeText(exporter.text(format, wish), out, invocation);
  return {};
}

async function writeText(text: AsyncGenerator<string>, out: string, invocation: Invocation): Promise<void> {
  if (out === STANDARD_OUTPUT) return writeOut(text, invocation.standardOutput());
  // `flush`: what gets its name must be on the disk.
  await writeWhole(resolve(out), (partial) =>
    pipeline(Readable.from(text), createWriteStream(partial, { mode: OWNER_ONLY, flush: true })),
  );
}

async function writeOut(text: AsyncGenerator<string>, output: Writable): Promise<void> {
  let failure: unknown = null;
  const note = (error: unknown): void => void (failure = error);
  output.once('error', note);
  try {
    await pipeline(Readable.from(text), output, { end: false });
  } catch (error) {
    throw failure === null ? error : unwritable('Standard output', failure);
  } finally {
    output.off('error', note);
  }
}

async function typesOf({ texts: { type } }: Given, invocation: Invocation): Promise<readonly CompiledType[]> {
  const types = await invocation.get(ContentTypes);
  return type === undefined ? types.all() : [await types.require(type)];
}

/** A folder for each type, and in it a file for each record, called after its slug; other languages have their own folders. */
async function writeFiles(exporter: Exporter, wish: ExportWish, out: string): Promise<number> {
  const progress = new Progress();
  let records = 0;
  progress.start(0, 'Exporting');
  try {
    for (const type of wish.types) {
      await mkdir(join(out, type.name), { recursive: true });
      for await (const views of exporter.records(type, wish)) {
        for (const view of views) await writeRecord(join(out, type.name), view, type);
        records += views.length;
        progress.advance(views.length);
      }
    }
  } catch (error) {
    throw unwritable(out, error);
  } finally {
    progress.stop();
  }
  return records;
}

async function writeRecord(folder: string, view: RecordView, type: CompiledType): Promise<void> {
  const file = join(folder, fileNameOf(view));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, markdownOf(view, type));
}

/** Slugs of two languages may be the same, and one with many letters may be longer than a name of a file. No slug begins with `_`. */
function fileNameOf({ id, slug, locale }: RecordView): string {
  const isShort = typeof slug === 'string' && Buffer.byteLength(slug) <= MAX_NAME_BYTES;
  const name = `${isShort ? slug : `_${String(id)}`}.md`;
  return locale === 'en' ? name : join(`_${String(locale)}`, name);
}
