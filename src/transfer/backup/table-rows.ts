import type { QueryRunner } from 'typeorm';
import type { Condition, Dialect } from '../../database/dialect/dialect.js';
import type { SqlValue } from '../../database/statements/statement.js';
import { TransferError } from '../transfer-error.js';
import { cellOf, type Cell } from './cells.js';
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
 * @throws {TransferError} `damaged_row`
 */
export async function* linesOf(
  database: Connected,
  layout: TableLayout,
  progress: RowProgress,
): AsyncGenerator<string, TableDigest> {
  const digester = new TableDigester(layout);
  const size = isWide(layout) ? WIDE_BATCH : NARROW_BATCH;
  for (let last: Row | undefined; ;) {
    const { sql, values } = selection(database, layout, last);
    const rows = (await database.runner.query(`${sql} LIMIT ${size}`, [...values])) as Row[];
    const lines = rows.map((row) => `${JSON.stringify(cellsOf(row, layout))}\n`).join('');
    digester.add(lines, rows.length);
    progress.advance(rows.length);
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
    const lines = linesOf(database, layout, progress);
    let step = await lines.next();
    while (!step.done) step = await lines.next();
    digests.push(step.value);
  }
  return digestOf(digests);
}

/** Number of rows of the tables; if counting takes longer than the database allows, too few. */
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

/** @throws {TransferError} `damaged_row`: a column holds what it should not, such as a text in the place of bytes */
function cellsOf(row: Row, { name: table, columns, key }: TableLayout): Cell[] {
  return columns.map(({ name: column, kind: expected }) => {
    const cell = cellOf(expected, row[column]);
    if (cell !== undefined) return cell;
    const details = [{ table, key: Object.fromEntries(key.map((name) => [name, row[name]])), column, expected }];
    const place = key.map((name) => `${name} = ${String(row[name])}`).join(', ');
    const message = `The row ${place} of the table ${table} is damaged: ${column} holds no ${expected}. Mend or delete it.`;
    throw new TransferError('damaged_row', message, { details });
  });
}

function quoted({ dataSource }: QueryRunner, name: string): string {
  return dataSource.driver.escape(name);
}
