import { InvalidArgumentError, Option } from 'commander';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Audit } from '../../audit/audit.js';
import { STATUSES, type CompiledType } from '../../content-types/definition/content-type.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import { Exporter, markdownOf, STREAMED, type ExportSelection } from '../../transfer/export/exporter.js';
import type { RecordView } from '../../records/rows/record-views.js';
import { OWNER_ONLY, unwritable, writeAtomically } from '../../transfer/atomic-file.js';
import type { Define, Outcome } from '../command.js';
import { withProgress } from '../progress.js';
import type { Invocation } from '../invocation.js';
import { OPERATOR } from '../operator-events.js';

const MARKDOWN = 'markdown';
const MAX_NAME_BYTES = 200;
const FORMATS = [...STREAMED, MARKDOWN] as const;
const STANDARD_OUTPUT = '-';

interface Options {
  readonly out: string;
  readonly format: (typeof FORMATS)[number];
  readonly guard: boolean;
  readonly type?: string;
}

export const exportCommand: Define = (program, act) => {
  program
    .command('export')
    .description('Write records as lines of NDJSON, as a table or as Markdown files, for people and other programs.')
    .requiredOption('--out <file|folder|->', 'Where to write; a folder for Markdown, - for standard output.')
    .addOption(new Option('--format <format>', 'How to write them.').choices(FORMATS).default('ndjson'))
    .option('--no-guard', 'Keep texts of a table that a spreadsheet would run as they are; import it so, too.')
    .option('--type <name>', 'Only records of this content type; a table can hold no other.')
    .action(act(write));
};

async function write(invocation: Invocation, options: Options): Promise<Outcome> {
  const { out, format, guard: isGuarded, type } = options;
  requirePossible(options);
  const details = { format, type: type ?? null };
  (await invocation.get(Audit)).note({ event: 'content.exported', outcome: 'success', actor: OPERATOR, details });
  const exporter = await invocation.get(Exporter);
  const selection = { types: await typesOf(type, invocation), statuses: STATUSES, caller: OPERATOR, isGuarded };
  const records = format === MARKDOWN ? await writeFiles(exporter, selection, out) : null;
  if (format !== MARKDOWN) await writeText(exporter.text(format, selection), out, invocation);
  const place = out === STANDARD_OUTPUT ? 'standard output' : out;
  const text = `Written: ${records === null ? '' : `${records} records into `}${place}`;
  const json = { out, format, ...(records === null ? {} : { records }) };
  return { json, text, isOnStandardError: out === STANDARD_OUTPUT };
}

function requirePossible({ out, format, guard, type }: Options): void {
  if (format === 'csv') {
    if (type === undefined) throw new InvalidArgumentError('A table needs a --type.');
  } else if (!guard) throw new InvalidArgumentError('--no-guard is for tables: it goes with --format csv.');
  if (format === MARKDOWN && out === STANDARD_OUTPUT) throw new InvalidArgumentError('Markdown needs a folder.');
}

async function writeText(text: AsyncGenerator<string>, out: string, invocation: Invocation): Promise<void> {
  if (out === STANDARD_OUTPUT) return writeOut(text, invocation.streams.standardOutput());
  // `flush`: what gets its name must be on the disk.
  await writeAtomically(resolve(out), (partial) =>
    pipeline(Readable.from(text), createWriteStream(partial, { mode: OWNER_ONLY, flush: true })),
  );
}

async function writeOut(text: AsyncGenerator<string>, output: Writable): Promise<void> {
  let failure: unknown = null;
  output.once('error', (error) => (failure = error));
  await pipeline(Readable.from(text), output, { end: false }).catch((error: unknown) => {
    throw failure === null ? error : unwritable('Standard output', failure);
  });
}

async function typesOf(type: string | undefined, invocation: Invocation): Promise<readonly CompiledType[]> {
  const types = await invocation.get(ContentTypesService);
  return type === undefined ? types.all() : [await types.require(type)];
}

/** A folder for each type, and in it a file for each record, called after its slug; other languages have their own folders. */
async function writeFiles(exporter: Exporter, selection: ExportSelection, out: string): Promise<number> {
  let records = 0;
  const writing = withProgress(async (progress) => {
    progress.start(0, 'Exporting');
    for (const type of selection.types) {
      await mkdir(join(out, type.name), { recursive: true });
      for await (const views of exporter.records(type, selection)) {
        for (const view of views) await writeRecord(join(out, type.name), view, type);
        records += views.length;
        progress.advance(views.length);
      }
    }
  });
  await writing.catch((error: unknown) => {
    throw unwritable(out, error);
  });
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
