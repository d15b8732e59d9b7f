import { parse, type CsvError, type InfoRecord } from 'csv-parse';
import { Readable } from 'node:stream';
import { textLines, UnreadableFileError } from '../file-text.js';

/** One row of a table, or why there is none. Lines count from 1. */
export type Row =
  { readonly line: number; readonly cells: readonly string[] } | { readonly line: number; readonly message: string };

interface Parsed {
  readonly info: InfoRecord;
  readonly record: readonly string[];
}

/** More characters than any row needs. A quote that is never closed would otherwise take the rest of the file into memory. */
const MAX_ROW_LENGTH = 4_000_000;
const DELIMITERS = [',', ';', '\t'];
/** How Excel says what stands between cells. */
const SEP_LINE = /^"?sep=(.)"?[^\S\n]*\n/i;
const TOO_LONG = 'CSV_MAX_RECORD_SIZE';
const OPENING = 'INVALID_OPENING_QUOTE';
/** Faults of which nothing is known but where their row begins. */
const OF_A_ROW: ReadonlySet<string> = new Set([TOO_LONG, 'CSV_QUOTE_NOT_CLOSED']);
const FAULTS: ReadonlyMap<string, string> = new Map([
  ['CSV_QUOTE_NOT_CLOSED', 'A quotation mark that opens in the row that begins here is never closed.'],
  [TOO_LONG, `The row that begins here has more than ${MAX_ROW_LENGTH} characters; is a quotation mark not closed?`],
  [OPENING, 'There is a quotation mark inside a cell that does not begin with one.'],
  [
    'CSV_INVALID_CLOSING_QUOTE',
    'There is more text after the quotation mark that ends a cell, so the end of this row is not known. The row and the rest of the file are left out. Double a quotation mark inside a cell.',
  ],
]);

/** The rows of a table in their order. One that cannot be read is reported; where its end is known, the next one is read. */
export async function* rowsOf(path: string): AsyncGenerator<Row> {
  const table = new Table(path);
  yield* table.rows();
}

class Table {
  private readonly faults: (Row & { message: string })[] = [];
  /** Last line of what was read so far. */
  private line = 0;
  private isStopped = false;
  /** Why the rest of the file cannot be read, and whether a row is cut off by that. */
  private failure: { readonly error: UnreadableFileError; readonly isInsideRow: boolean } | null = null;

  constructor(private readonly path: string) {}

  async *rows(): AsyncGenerator<Row> {
    let held: Row | null = null;
    for await (const { record, info } of this.parsed()) {
      if (held) yield* this.inOrder(held);
      held = { line: info.lines - newlinesIn(record), cells: record };
    }
    if (held && this.failure?.isInsideRow !== true) yield* this.inOrder(held);
    yield* this.faults;
    if (this.failure) throw this.failure.error;
  }

  /** The parser is ahead of the rows, and so are its faults. */
  private *inOrder(row: Row): Generator<Row> {
    while (this.faults[0] && this.faults[0].line < row.line) yield* this.faults.splice(0, 1);
    yield row;
  }

  private async *parsed(): AsyncGenerator<Parsed> {
    const pieces = this.text();
    const { value } = await pieces.next();
    const first = value ?? '';
    const delimiter = delimiterOf(first);
    const parser = parse({
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      max_record_size: MAX_ROW_LENGTH,
      skip_records_with_error: true,
      on_record: (cells, { lines }) => this.taken(cells, lines),
      on_skip: (error): undefined => {
        if (error) this.skip(error);
      },
    });
    yield* Readable.from(rejoined(first.replace(SEP_LINE, '\n'), pieces)).compose(parser) as AsyncIterable<Parsed>;
  }

  private taken(cells: string[], lastLine: number): string[] | null {
    if (this.isStopped) return null;
    this.line = lastLine;
    return cells;
  }

  /** A stream that fails forgets the rows that it had ready, so this one ends instead. */
  private async *text(): AsyncGenerator<string, undefined> {
    let last = '\n';
    try {
      for await (const piece of textLines(this.path)) {
        if (this.isStopped) return;
        yield piece;
        last = piece;
      }
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      this.failure = { error, isInsideRow: !last.endsWith('\n') };
    }
  }

  private skip({ code, message, lines }: CsvError): void {
    if (this.isStopped || this.failure) return;
    this.isStopped = code !== OPENING;
    const line = OF_A_ROW.has(code) ? this.line + 1 : Number(lines);
    if (line <= this.line) return;
    this.line = line;
    this.faults.push({ line, message: FAULTS.get(code) ?? `The row cannot be read: ${message}.` });
  }
}

/** What a first line `sep=;` says, else the sign that stands most often in the line that names the columns. */
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

async function* rejoined(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

function newlinesIn(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
}
