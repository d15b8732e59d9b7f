import { CsvError, parse, type InfoRecord } from 'csv-parse';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { textLines, UnreadableFile } from './file-text.js';
import type { Given, ImportEntry, ImportItem, Remark, TermName } from './import-entry.js';
import { momentOf } from './moments.js';

/** More characters than any row needs. A quote that is never closed would otherwise take the rest of the file into memory. */
const MAX_ROW_LENGTH = 4_000_000;
const SEPARATOR = '|';
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

interface Row {
  readonly info: InfoRecord;
  readonly record: readonly string[];
}

/** Reads a table: the first row names the fields, and each further row is one item. Several values of a cell stand between bars. */
export async function* readCsv(path: string): AsyncGenerator<ImportEntry> {
  const file = basename(path);
  let line = 1;
  try {
    let columns: readonly string[] | null = null;
    for await (const { record, info } of rowsOf(path)) {
      if (columns === null) columns = requireColumns(record);
      else yield itemOf(record, columns, { file, line });
      line = info.lines + 1;
    }
    if (columns === null) throw new UnreadableFile('is empty. The first row has to name the fields.');
  } catch (error) {
    yield { kind: 'unreadable', file, ...fault(error, line) };
  }
}

async function* rowsOf(path: string): AsyncGenerator<Row> {
  const parser = parse({
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_LENGTH,
  });
  yield* Readable.from(textLines(path)).compose(parser) as AsyncIterable<Row>;
}

function requireColumns(names: readonly string[]): readonly string[] {
  const columns = names.map((name) => name.trim());
  const repeated = columns.filter((name, index) => columns.indexOf(name) !== index);
  if (repeated.length > 0) throw new UnreadableFile(`names these columns twice: ${repeated.join(', ')}.`, 1);
  if (columns.includes('')) throw new UnreadableFile('has a column without a name.', 1);
  if (columns.includes('title')) return columns;
  throw new UnreadableFile('has no column "title". The first row has to name the fields, separated by commas.', 1);
}

function fault(error: unknown, line: number): { line: number; message: string } {
  if (error instanceof UnreadableFile) return { line: error.line, message: `The file ${error.message}` };
  if (error instanceof CsvError)
    return { line, message: FAULTS[error.code] ?? `The table cannot be read from here on: ${error.message}.` };
  throw error;
}

const FAULTS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'A quotation mark that opens in the row that begins here is never closed.',
  CSV_MAX_RECORD_SIZE: `The row that begins here has more than ${MAX_ROW_LENGTH} characters; is a quotation mark not closed?`,
};

function itemOf(
  cells: readonly string[],
  columns: readonly string[],
  place: { file: string; line: number },
): ImportItem {
  const cell = (name: string): string | null => {
    const text = cells[columns.indexOf(name)];
    return text === undefined || text === '' ? null : text;
  };
  const problems: Remark[] = [];
  if (cells.length !== columns.length) {
    const message = `The row has ${cells.length} cells, and the first one names ${columns.length}.`;
    problems.push({ ...place, message });
  }
  return {
    kind: 'item',
    ...place,
    key: keyOf(cell),
    type: cell('type'),
    title: cell('title') ?? '',
    slug: cell('slug'),
    status: cell('status'),
    locale: cell('locale'),
    createdAt: momentIn('published_at', cell, place, problems) ?? momentIn('created_at', cell, place, problems),
    body: cell('body'),
    values: valuesOf(columns, cell, place.line),
    terms: {},
    problems,
    notes: [],
  };
}

/** What tells the row from others, in this run and in the next. */
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

/** Cells are texts: what they mean is known when the type is. */
function valuesOf(
  columns: readonly string[],
  cell: (name: string) => string | null,
  line: number,
): Record<string, Given> {
  const own = columns.filter((name) => !BUILT_IN.has(name) && cell(name) !== null);
  return Object.fromEntries(own.map((name) => [name, { value: new Cell(cell(name) ?? ''), line }]));
}

/** The text of a cell, which may stand for a number, a list or the names of terms. */
export class Cell {
  constructor(readonly text: string) {}

  get parts(): string[] {
    return this.text.split(SEPARATOR).map((part) => part.trim());
  }

  get terms(): TermName[] {
    return this.parts.filter((name) => name !== '').map((name) => ({ name, slug: null }));
  }
}
