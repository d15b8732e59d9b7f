import type { QueryRunner } from 'typeorm';
import type { Condition, Dialect } from '../../database/dialect/dialect.js';
import type { SqlValue } from '../../database/statements/statement.js';
import { cellOf, type Cell } from './cells.js';
import { DamagedRows, keyIn } from './damaged-rows.js';
import { digestOf, type Digest, type TableDigest, TableDigester } from './digest.js';
import type { ColumnLayout, TableLayout } from './table-layout.js';

/** Receives how far a backup or a restore has come. */
export interface RowProgress {
  /** @param total 0: not known */
  start(total: number, label: string): void;
  advance(count: number): void;
  /** It is done, or something else begins. */
  stop(): void;
}

/** Rows of short values are read many at a time; of rows that may have a megabyte each, some are enough. */
const NARROW_BATCH = 2_000;
const WIDE_BATCH = 64;

/** One connection to a database, and how to talk to it. */
export interface Connected {
  readonly runner: QueryRunner;
  readonly dialect: Dialect;
}

type Row = Readonly<Record<string, unknown>>;

/**
 * Reads a table in the order of its key as lines of a backup, some rows at a time. Returns what they come to.
 *
 * @param damaged takes up rows that no line can hold
 */
export async function* linesOf(
  database: Connected,
  layout: TableLayout,
  progress: RowProgress,
  damaged: DamagedRows,
): AsyncGenerator<string, TableDigest> {
  const digester = new TableDigester(layout);
  const size = isWide(layout) ? WIDE_BATCH : NARROW_BATCH;
  for (let last: Row | undefined; ;) {
    const { sql, values } = selection(database, layout, last);
    const rows = (await database.runner.query(`${sql} LIMIT ${size}`, [...values])) as Row[];
    const sound = rows.flatMap((row) => soundCells(row, layout, damaged));
    const lines = sound.map((cells) => `${JSON.stringify(cells)}\n`).join('');
    digester.add(lines, sound.length);
    progress.advance(sound.length);
    if (lines !== '') yield lines;
    if (rows.length < size) return digester.digest();
    last = rows.at(-1);
  }
}

/** Reads whole tables for what they come to. @throws {TransferError} `damaged_row` */
export async function digestTables(
  database: Connected,
  layouts: readonly TableLayout[],
  progress: RowProgress,
): Promise<Digest> {
  const digests: TableDigest[] = [];
  for (const layout of layouts) {
    const lines = linesOf(database, layout, progress, new DamagedRows('refused'));
    let step = await lines.next();
    while (!step.done) step = await lines.next();
    digests.push(step.value);
  }
  return digestOf(digests);
}

/** How many rows the tables have; where counting takes longer than the database allows, too few. */
export async function countRows({ runner }: Connected, layouts: readonly TableLayout[]): Promise<number> {
  let rows = 0;
  for (const { name } of layouts) {
    const counted = runner.query(`SELECT COUNT(*) AS n FROM ${quoted(runner, name)}`) as Promise<[Row]>;
    rows += await counted.then(([{ n }]) => Number(n)).catch(() => 0);
  }
  return rows;
}

function isWide({ columns }: TableLayout): boolean {
  return columns.some(({ kind }) => kind === 'text' || kind === 'blob');
}

/** The rows of a table that come after one of them, in the order of the key. */
function selection(
  { runner, dialect }: Connected,
  { name, columns, key }: TableLayout,
  last: Row | undefined,
): Condition {
  const read = ({ name: column, kind }: ColumnLayout): string => {
    const plain = quoted(runner, column);
    return kind === 'double' ? `${dialect.exactDouble(plain)} AS ${plain}` : plain;
  };
  const order = key.map((column) => quoted(runner, column));
  // As the driver has handed it out: a key may be what is damaged.
  const rest =
    last &&
    dialect.comesAfter(
      order,
      key.map((column) => last[column] as SqlValue),
    );
  const where = rest ? ` WHERE ${rest.sql}` : '';
  const sql = `SELECT ${columns.map(read).join(', ')} FROM ${quoted(runner, name)}${where} ORDER BY ${order.join(', ')}`;
  return { sql, values: rest?.values ?? [] };
}

/** The cells of a row, or none when it is damaged. */
function soundCells(row: Row, { name: table, columns, key }: TableLayout, damaged: DamagedRows): Cell[][] {
  const cells: Cell[] = [];
  for (const { name, kind } of columns) {
    const cell = cellOf(kind, row[name]);
    if (cell === undefined) {
      damaged.add({ table, key: keyIn(row, key), column: name, expected: kind });
      return [];
    }
    cells.push(cell);
  }
  return [cells];
}

function quoted({ dataSource }: QueryRunner, name: string): string {
  return dataSource.driver.escape(name);
}
