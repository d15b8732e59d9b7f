import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { STATUSES } from '../../content-types/definition/content-type.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import { FORMATS, guessFormat, READERS, type Format } from '../../transfer/formats/formats.js';
import { fileLine, type ImportReport } from '../../transfer/import/import-findings.js';
import { Importer } from '../../transfer/import/importer.js';
import type { Command, CommandInput } from '../command.js';
import { UsageError } from '../usage.js';
import { withProgress } from '../progress.js';
import { OPERATOR } from '../operator-events.js';
import { table } from '../table.js';

const SHOWN = 20;
const MAX_SOURCE_LENGTH = 191;

export const importCommand: Command = {
  name: 'import',
  summary:
    'Import content: a folder of Markdown files, an export of WordPress, a table, or an NDJSON export. Can be run again.',
  positionals: ['<path>'],
  options: {
    format: { value: `<${FORMATS.join('|')}>`, help: 'The format of the path; guessed if left out.' },
    type: { value: '<name>', help: 'Content type of all items; otherwise what the file says, or post.' },
    source: { value: '<name>', help: 'Name of the place it comes from; otherwise the name of the file or folder.' },
    status: { value: `<${STATUSES.join('|')}>`, help: 'Status of all items; otherwise what the file says.' },
    'no-guard': { help: 'The table was exported with --no-guard: an apostrophe before = + - @ belongs to the text.' },
    'dry-run': { help: 'Report what would be done, and write nothing.' },
  },
  async run(input, invocation) {
    const [path = ''] = input.positionals;
    const { source, type = null } = input.values;
    const format = await formatOf(input, path);
    const options = {
      source: sourceOf(source ?? `${format}:${basename(resolve(path))}`),
      status: statusOf(input),
      isDryRun: input.switches.has('dry-run'),
    };
    const entries = READERS[format](path, isGuarded(input, format));
    if (type !== null) await (await invocation.get(ContentTypesService)).require(type);
    const importer = await invocation.get(Importer);
    const report = await withProgress((progress) => {
      const onProgress = (items: number): void => {
        progress.advance(items);
      };
      progress.start(0, 'Importing');
      return importer.run(entries, { ...options, caller: OPERATOR, type, onProgress });
    });
    return { json: report, text: textOf(report), isFailed: report.counts.refused > 0 };
  },
};

/** @throws {UsageError} the format knows no guard */
function isGuarded({ switches }: CommandInput, format: Format): boolean {
  const isOff = switches.has('no-guard');
  if (isOff && format !== 'csv') throw new UsageError('--no-guard is for tables: it goes with --format csv.');
  return !isOff;
}

async function formatOf({ values: { format } }: CommandInput, path: string): Promise<Format> {
  const known = FORMATS.find((one) => one === format);
  if (known === undefined && format !== undefined)
    throw new UsageError(`--format must be one of: ${FORMATS.join(', ')}.`);
  const found = await stat(path).catch(() => null);
  if (!found) throw new UsageError(`There is no file or folder ${path}.`);
  const guessed = known ?? (found.isDirectory() ? 'markdown' : guessFormat(path));
  if (guessed === null)
    throw new UsageError(`The format of ${path} is not known. Name it with --format ${FORMATS.join('|')}.`);
  return guessed;
}

function sourceOf(source: string): string {
  if (source.trim() !== '' && source.length <= MAX_SOURCE_LENGTH) return source;
  throw new UsageError(`The name of the source has 1 to ${MAX_SOURCE_LENGTH} characters. Name it with --source.`);
}

function statusOf({ values: { status } }: CommandInput): string | null {
  if (status === undefined || STATUSES.some((one) => one === status)) return status ?? null;
  throw new UsageError(`--status must be one of: ${STATUSES.join(', ')}.`);
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
