import { InvalidArgumentError, Option } from 'commander';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { STATUSES } from '../../content-types/definition/content-type.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import { FORMATS, guessFormat, READERS, type Format } from '../../transfer/formats/formats.js';
import { fileLine, type ImportReport } from '../../transfer/import/import-findings.js';
import { Importer } from '../../transfer/import/importer.js';
import type { Define, Outcome } from '../command.js';
import type { Invocation } from '../invocation.js';
import { withProgress } from '../progress.js';
import { OPERATOR } from '../operator-events.js';
import { table } from '../table.js';

const SHOWN = 20;
const MAX_SOURCE_LENGTH = 191;

interface Options extends Partial<Record<'type' | 'source' | 'status', string>> {
  readonly format?: Format;
  readonly guard: boolean;
  readonly dryRun?: boolean;
}

export const importCommand: Define = (program, act) => {
  program
    .command('import <path>')
    .description(
      'Import content: a folder of Markdown files, an export of WordPress, a table, or an NDJSON export. Can be run again.',
    )
    .addOption(new Option('--format <format>', 'The format of the path; guessed if left out.').choices(FORMATS))
    .option('--type <name>', 'Content type of all items; otherwise what the file says, or post.')
    .option('--source <name>', 'Name of the place it comes from; otherwise the name of the file or folder.')
    .addOption(new Option('--status <status>', 'Status of all items; otherwise what the file says.').choices(STATUSES))
    .option('--no-guard', 'The table was exported with --no-guard: an apostrophe before = + - @ belongs to the text.')
    .option('--dry-run', 'Report what would be done, and write nothing.')
    .action(act(read));
};

async function read(invocation: Invocation, path: string, options: Options): Promise<Outcome> {
  const { source, type = null, status = null, guard, dryRun: isDryRun = false } = options;
  const format = await formatOf(options, path);
  if (!guard && format !== 'csv')
    throw new InvalidArgumentError('--no-guard is for tables: it goes with --format csv.');
  const order = { source: sourceOf(source ?? `${format}:${basename(resolve(path))}`), status, isDryRun };
  const entries = READERS[format](path, guard);
  if (type !== null) await (await invocation.get(ContentTypesService)).require(type);
  const importer = await invocation.get(Importer);
  const report = await withProgress((progress) => {
    const onProgress = (items: number): void => {
      progress.advance(items);
    };
    progress.start(0, 'Importing');
    return importer.run(entries, { ...order, caller: OPERATOR, type, onProgress });
  });
  return { json: report, text: textOf(report), isFailed: report.counts.refused > 0 };
}

async function formatOf({ format }: Options, path: string): Promise<Format> {
  const found = await stat(path).catch(() => null);
  if (!found) throw new InvalidArgumentError(`There is no file or folder ${path}.`);
  const guessed = format ?? (found.isDirectory() ? 'markdown' : guessFormat(path));
  if (guessed !== null) return guessed;
  throw new InvalidArgumentError(`The format of ${path} is not known. Name it with --format ${FORMATS.join('|')}.`);
}

function sourceOf(source: string): string {
  if (source.trim() !== '' && source.length <= MAX_SOURCE_LENGTH) return source;
  throw new InvalidArgumentError(
    `The name of the source has 1 to ${MAX_SOURCE_LENGTH} characters. Name it with --source.`,
  );
}

function textOf(report: ImportReport): string {
  const parts = [
    counts(report),
    ...report.changes,
    terms(report),
    notTaken(report),
    remarks('Other than the file says', report.notes, report.notes_total),
    remarks('Refused', report.problems, report.problems_total),
    report.dry_run ? 'This was a dry run: nothing was written.' : '',
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function counts({ types, counts: all }: ImportReport): string {
  const rows = Object.entries(types).map(([name, { created, updated, unchanged, refused }]) => [
    name === '' ? '(unreadable)' : name,
    ...[created, updated, unchanged, refused].map(String),
  ]);
  if (rows.length !== 1) {
    rows.push(['all', ...[all.created, all.updated, all.unchanged, all.refused].map(String)]);
  }
  return table(['TYPE', 'CREATED', 'UPDATED', 'UNCHANGED', 'REFUSED'], rows);
}

function terms({ terms: made }: ImportReport): string {
  const entries = Object.entries(made).map(([taxonomy, count]) => `${taxonomy} ${count}`);
  return entries.length === 0 ? '' : `New terms: ${entries.join(', ')}.`;
}

function notTaken({ not_taken: left }: ImportReport): string {
  if (left.length === 0) return '';
  const rows = left.map(({ count, what, reason, first }) => [String(count), what, reason, first]);
  return `\n${table(['COUNT', 'NOT TAKEN OVER', 'WHY', 'FIRST'], rows)}`;
}

function remarks(
  title: string,
  all: readonly { file: string; line: number; message: string }[],
  total: number,
): string {
  if (total === 0) return '';
  const lines = all.slice(0, SHOWN).map((remark) => `  ${fileLine(remark)}  ${remark.message}`);
  if (total > lines.length) lines.push(`  and ${total - lines.length} more; --json shows up to a thousand.`);
  return [`\n${title}:`, ...lines].join('\n');
}
