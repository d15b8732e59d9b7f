import { CsvError, parse } from 'csv-parse';
import { basename } from 'node:path';
import { finished } from 'node:stream/promises';
import { textLines, UnreadableFileError } from '../file-text.js';
import { unguarded } from './cell-parts.js';
import { momentsOf, type ImportEntry, type ImportItem } from '../import-entry.js';
import { Settings } from '../settings.js';

/**
 * Reads a table: the first row names the fields, in small letters or capitals, and each further row is one item. Several values of a cell stand between bars.
 *
 * @param isGuarded whether an apostrophe before what a spreadsheet would run is none of the text
 */
export async function* readCsv(path: string, isGuarded = true): AsyncGenerator<ImportEntry> {
  const file = basename(path);
  try {
    let columns: readonly string[] | null = null;
    for await (const { line, cells } of rowsOf(path)) {
      if (columns === null) columns = requireColumns(cells);
      else yield itemOf(isGuarded ? cells.map(unguarded) : cells, columns, { file, line });
    }
    if (columns === null) throw new UnreadableFileError('is empty. The first row has to name the fields.');
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    yield { kind: 'unreadable', file, line: error.line, message: `The file ${error.message}` };
  }
}

/** A row of a table. Lines count from 1. */
interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/** More characters than any row needs. A quote that is never closed would otherwise take the rest of the file into memory. */
const MAX_ROW_LENGTH = 4_000_000;
const DELIMITERS = [',', ';', '\t'];
/** The line by which Excel says what stands between cells. */
const SEP_LINE = /^"?sep=(.)"?[^\S\n]*\n/i;
const FAULTS: ReadonlyMap<string, string> = new Map([
  ['CSV_QUOTE_NOT_CLOSED', 'has a quotation mark in the row that begins here which is never closed.'],
  [
    'CSV_MAX_RECORD_SIZE',
    `has more than ${MAX_ROW_LENGTH} characters in the row that begins here; is a quotation mark not closed?`,
  ],
]);

/**
 * The rows of a table in their order. A quotation mark that neither begins nor ends a cell belongs to its text.
 *
 * @throws {UnreadableFileError} behind the rows that could be read
 */
async function* rowsOf(path: string): AsyncGenerator<Row> {
  const pieces = textLines(path);
  const first = (await pieces.next()).value ?? '';
  const rows: Row[] = [];
  let lastLine = 0;
  // Rows are taken as they are parsed: a stream that fails forgets those that it had ready.
  const parser = parse({
    delimiter: delimiterOf(first),
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: MAX_ROW_LENGTH,
    on_record: (cells: string[], { lines }) => {
      rows.push({ line: lines - newlinesIn(cells), cells });
      lastLine = lines;
      return null;
    },
  });
  const ended = finished(parser.resume());
  ended.catch(() => undefined);
  try {
    parser.write(first.replace(SEP_LINE, '\n'));
    for await (const piece of pieces) {
      yield* rows.splice(0);
      if (!parser.writable) break;
      parser.write(piece);
    }
    parser.end();
    await ended;
  } catch (error) {
    yield* rows.splice(0);
    if (!(error instanceof CsvError)) throw error;
    throw new UnreadableFileError(FAULTS.get(error.code) ?? `cannot be read: ${error.message}.`, lastLine + 1);
  }
  yield* rows;
}

/** The sign that a first line `sep=;` names, else the one that stands most often in the line that names the columns. */
function delimiterOf(head: string): string {
  const said = SEP_LINE.exec(head)?.[1];
  if (said !== undefined) return said;
  const [names = ''] = head
    .trimStart()
    .replaceAll(/"[^"]*"/g, '')
    .split('\n', 1);
  const timesOf = (delimiter: string) => names.split(delimiter).length;
  return DELIMITERS.reduce((best, one) => (timesOf(one) > timesOf(best) ? one : best));
}

function newlinesIn(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
}

function requireColumns(names: readonly string[]): readonly string[] {
  const columns = names.map((name) => name.trim().toLowerCase());
  const repeated = columns.filter((name, index) => name !== '' && columns.indexOf(name) !== index);
  if (repeated.length > 0) throw new UnreadableFileError(`names these columns twice: ${repeated.join(', ')}.`, 1);
  if (columns.includes('title')) return columns;
  const separators = 'commas, semicolons or tabs';
  throw new UnreadableFileError(
    `has no column "title". The first row has to name the fields, between ${separators}.`,
    1,
  );
}

function itemOf(
  cells: readonly string[],
  columns: readonly string[],
  { file, line }: { file: string; line: number },
): ImportItem {
  const named = columns.map((name, at) => [name, { value: cells[at] ?? '', line }] as const);
  // The first of two columns without a name is as good as the other.
  const settings = new Settings(file, Object.fromEntries(named.filter(([name]) => name !== '')));
  for (const message of oddCells(cells, columns)) settings.problem(line, message);
  const body = settings.take('body');
  const text = (name: string): string | null => settings.text(name)?.value ?? null;
  const given = { key: text('key'), id: text('id'), slug: text('slug'), title: text('title') };
  return {
    kind: 'item',
    file,
    line,
    key: keyOf(given),
    type: text('type'),
    title: given.title ?? '',
    slug: given.slug,
    status: text('status'),
    locale: text('locale'),
    ...momentsOf(settings.moment('created_at'), settings.moment('published_at')),
    body: body === null ? null : String(body.value),
    values: Object.fromEntries(
      Object.entries(settings.rest).map(([name, { value }]) => [name, { cell: String(value), line }]),
    ),
    terms: {},
    problems: settings.problems,
    notes: [],
  };
}

/** Faults in the number of cells. Empty ones behind the last name, as spreadsheets leave them, are none. */
function oddCells(cells: readonly string[], columns: readonly string[]): string[] {
  const unnamed = cells.findIndex((cell, at) => cell !== '' && columns[at] === '');
  if (unnamed !== -1) return [`The row has a value in column ${unnamed + 1}, which has no name.`];
  const named = columns.findLastIndex((name) => name !== '') + 1;
  const isWhole = cells.length >= named && cells.slice(columns.length).every((cell) => cell === '');
  return isWhole ? [] : [`The row has ${cells.length} cells, and the first one names ${named}.`];
}

/** The key that distinguishes the row from others, in this run and in the next. */
function keyOf(given: Readonly<Record<string, string | null>>): string {
  const [name, value] = Object.entries(given).find(([, one]) => one !== null) ?? [];
  return name === undefined ? '' : `${name}:${String(value)}`;
}
