import {
  DataSource,
  type ColumnType,
  type DataSourceOptions,
  DefaultNamingStrategy,
  AbstractLogger,
  getMetadataArgsStorage,
} from 'typeorm';
import { migrations } from '../migrations/index.js';
import type { TableMetadataArgs } from 'typeorm/metadata-args/TableMetadataArgs.js';

/** Words of our schema that SQLite stores as well as any other and TypeORM does not list for it. */
const FURTHER_SQLITE_TYPES = ['mediumtext', 'mediumblob'] as unknown as ColumnType[];

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

/** Tells whether SQLite finds the row by this column without an index, in a table that this version has created. */
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

/** `publishedAt` in a class is `published_at` in a table. */
class SnakeCaseNaming extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined, prefixes: string[]): string {
    const name = customName ?? propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [...prefixes, name].join('_');
  }
}

/** TypeORM prints slow queries with their values even where logging is off; what fails reaches our own log anyway. */
class QuietLogger extends AbstractLogger {
  protected override writeLog(): void {
    // Nothing: values may be secrets, and lines of text do not belong into a log of JSON.
  }
}

/** The options of every connection: the same tables, by the same names, changed by migrations only. */
export const sharedOptions = () =>
  ({
    entities: declaredEntities(),
    migrations,
    namingStrategy: new SnakeCaseNaming(),
    synchronize: false,
    migrationsRun: false,
    logging: false,
    logger: new QuietLogger(),
  }) as const;

type Entity = TableMetadataArgs['target'];

/** The tables of all loaded features, sorted by class name. Modules register their own (`TypeOrmModule.forFeature`). */
export function declaredEntities(): Entity[] {
  const entities = getMetadataArgsStorage().tables.map(({ target }) => target);
  return entities.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

function nameOf(entity: Entity): string {
  return typeof entity === 'string' ? entity : entity.name;
}
