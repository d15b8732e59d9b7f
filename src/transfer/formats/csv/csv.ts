import { basename } from 'node:path';
import { unguarded } from '../../cell-guard.js';
import { rowsOf } from './csv-rows.js';
import { UnreadableFileError } from '../file-text.js';
import { momentsOf, type ImportEntry, type ImportItem, type Remark } from '../import-entry.js';
import { momentOf } from '../../../common/text/moments.js';

const KEYS = ['key', 'id', 'slug', 'title'];
const BUILT_IN = new Set([
  'key',
  'id',
  'type',
  'title',
  'slug',
  'status',
  'locale',
  'body',
  'published_at',
  'created_at',
]);

/**
 * Reads a table: the first row names the fields, in small letters or capitals, and each further row is one item. Several values of a cell stand between bars.
 *
 * @param isGuarded whether an apostrophe before what a spreadsheet would run is none of the text
 */
export async function* readCsv(path: string, isGuarded = true): AsyncGenerator<ImportEntry> {
  const file = basename(path);
  try {
    let columns: readonly string[] | null = null;
    for await (const row of rowsOf(path)) {
      if ('message' in row) yield { kind: 'unreadable', file, ...row };
      else if (columns === null) columns = requireColumns(row.cells);
      else yield itemOf(cellsOf(row.cells, isGuarded), columns, { file, line: row.line });
    }
    if (columns === null) throw new UnreadableFileError('is empty. The first row has to name the fields.');
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    yield { kind: 'unreadable', file, line: error.line, message: `The file ${error.message}` };
  }
}

function cellsOf(cells: readonly string[], areGuarded: boolean): readonly string[] {
  return areGuarded ? cells.map(unguarded) : cells;
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
  place: { file: string; line: number },
): ImportItem {
  const cell = (name: string): string | null => {
    const text = cells[columns.indexOf(name)];
    return text === undefined || text === '' ? null : text;
  };
  const problems: Remark[] = oddCells(cells, columns).map((message) => ({ ...place, message }));
  return {
    kind: 'item',
    ...place,
    key: keyOf(cell),
    type: cell('type'),
    title: cell('title') ?? '',
    slug: cell('slug'),
    status: cell('status'),
    locale: cell('locale'),
    ...momentsOf(momentIn('created_at', cell, place, problems), momentIn('published_at', cell, place, problems)),
    body: cell('body'),
    values: valuesOf(columns, cell, place.line),
    terms: {},
    problems,
    notes: [],
  };
}

/** What is wrong with the number of cells. Empty ones behind the last name, as spreadsheets leave them, are none. */
function oddCells(cells: readonly string[], columns: readonly string[]): string[] {
  const unnamed = cells.findIndex((cell, at) => cell !== '' && columns[at] === '');
  if (unnamed !== -1) return [`The row has a value in column ${unnamed + 1}, which has no name.`];
  const named = columns.findLastIndex((name) => name !== '') + 1;
  const isWhole = cells.length >= named && cells.slice(columns.length).every((cell) => cell === '');
  return isWhole ? [] : [`The row has ${cells.length} cells, and the first one names ${named}.`];
}

/** What distinguishes the row from others, in this run and in the next. */
function keyOf(cell: (name: string) => string | null): string {
  const name = KEYS.find((one) => cell(one) !== null);
  return name === undefined ? '' : `${name}:${cell(name) ?? ''}`;
}

function momentIn(
  name: string,
  cell: (name: string) => string | null,
  place: { file: string; line: number },
  problems: Remark[],
): number | null {
  const text = cell(name);
  const at = text === null ? null : momentOf(text);
  if (text !== null && at === null) {
    problems.push({ ...place, message: `${name} is no moment such as 2024-02-29 or 2024-02-29T09:30:00Z.` });
  }
  return at;
}

function valuesOf(
  columns: readonly string[],
  cell: (name: string) => string | null,
  line: number,
): ImportItem['values'] {
  const own = columns.filter((name) => name !== '' && !BUILT_IN.has(name) && cell(name) !== null);
  return Object.fromEntries(own.map((name) => [name, { cell: cell(name) ?? '', line }]));
}
