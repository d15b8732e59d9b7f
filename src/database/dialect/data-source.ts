import { DataSource, type ColumnType, type DataSourceOptions } from 'typeorm';

/** Words of our schema that SQLite stores as well as any other and TypeORM does not list for it. */
const FURTHER_SQLITE_TYPES = ['mediumtext', 'mediumblob'] as unknown as ColumnType[];

/** The part of a column's description that its type depends on. */
interface Column {
  readonly type?: ColumnType;
  readonly isPrimary?: boolean;
  readonly entityMetadata?: { readonly primaryColumns: readonly unknown[] };
}

/** A data source whose entities may use the same column types on every database. */
export function dataSource(options: DataSourceOptions): DataSource {
  const source = new DataSource(options);
  if (options.type === 'better-sqlite3') {
    const { driver } = source;
    driver.supportedDataTypes.push(...FURTHER_SQLITE_TYPES);
    const normalizeType = driver.normalizeType.bind(driver);
    // The key of a row is called INTEGER, which holds 64 bits here.
    driver.normalizeType = (column: Column) => (isRowId(column) ? 'integer' : normalizeType(column));
  }
  return source;
}

/** Whether SQLite finds the row by this column without an index, in a table that this version has created. */
function isRowId({ type, isPrimary, entityMetadata }: Column): boolean {
  return isPrimary === true && type === 'bigint' && entityMetadata?.primaryColumns.length === 1;
}

export function openDataSource(options: DataSourceOptions): Promise<DataSource> {
  return dataSource(options).initialize();
}

/** @throws with one sentence for the operator, when the database cannot be reached or opened */
export async function openNamed(label: string, options: DataSourceOptions): Promise<DataSource> {
  try {
    return await openDataSource(options);
  } catch (cause) {
    throw new Error(
      `The database ${label} cannot be opened: ${reasonOf(cause).replace(/\.$/, '')}. Check DATABASE_URL.`,
      { cause },
    );
  }
}

/** A name that leads to several hosts fails with an error of no message that holds one error for each. */
function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message === undefined || message === '' ? (code ?? String(error)) : message;
}
