import { Table, TableIndex, type QueryRunner, type TableColumnOptions } from 'typeorm';

interface Index {
  readonly name: string;
  readonly columns: string[];
  readonly unique?: true;
}

interface TableShape {
  readonly columns: TableColumnOptions[];
  readonly indices?: readonly Index[];
}

export type Tables = Readonly<Record<string, TableShape>>;

export const GENERATED_ID: TableColumnOptions = {
  name: 'id',
  type: 'bigint',
  isPrimary: true,
  isGenerated: true,
  generationStrategy: 'increment',
};

type Options = Partial<TableColumnOptions>;

const column =
  (type: string) =>
  (name: string, options: Options = {}): TableColumnOptions => ({ name, type, ...options });

export const big = column('bigint');
export const int = column('int');
export const text = column('mediumtext');
export const blob = column('mediumblob');
export const varchar = (name: string, length: number, options: Options = {}): TableColumnOptions =>
  column('varchar')(name, { length: String(length), ...options });

export const NULLABLE = { isNullable: true } as const;
export const KEY = { isPrimary: true } as const;

/** SQLite has one integer type. A key of one column is the row id itself only if its type is called INTEGER (docs/adr/0019). */
function forSqlite(column: TableColumnOptions, _: number, columns: readonly TableColumnOptions[]): TableColumnOptions {
  const isOnlyKey = column.isPrimary === true && columns.filter(({ isPrimary }) => isPrimary).length === 1;
  const isRowId = isOnlyKey && column.type === 'bigint';
  return isRowId || column.type === 'int' ? { ...column, type: 'integer' } : column;
}

/** Tells whether the statements go to a server (and commit one by one) or into an SQLite file (and commit together). */
export function isServer(runner: QueryRunner): boolean {
  return runner.dataSource.options.type !== 'better-sqlite3';
}

/** Creates a table with its indexes, also after an interruption. Text is compared byte by byte on every database. */
export async function createTable(
  runner: QueryRunner,
  name: string,
  { columns, indices = [] }: TableShape,
): Promise<void> {
  const table = new Table({
    name,
    columns: isServer(runner) ? columns : columns.map(forSqlite),
    indices: indices.map(
      ({ name: indexName, columns: columnNames, unique }) =>
        new TableIndex({ name: indexName, columnNames, isUnique: unique ?? false }),
    ),
    // Said at creation: converting a table later on would make MEDIUMTEXT of a database in latin1 a LONGTEXT.
    ...(isServer(runner) ? { engine: 'InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin' } : {}),
  });
  await runner.createTable(table, true);
}
