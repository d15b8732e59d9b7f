import type { DataSource, EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { Kind } from './cells.js';

export interface ColumnLayout {
  readonly name: string;
  readonly kind: Kind;
}

/** The shape of a table, as far as a backup needs it. */
export interface TableLayout {
  readonly name: string;
  readonly columns: readonly ColumnLayout[];
  /** Names of the columns of the primary key: the order of the rows. */
  readonly key: readonly string[];
}

const KINDS: Readonly<Partial<Record<string, Kind>>> = {
  bigint: 'integer',
  int: 'integer',
  integer: 'integer',
  smallint: 'integer',
  tinyint: 'integer',
  boolean: 'integer',
  double: 'double',
  varchar: 'string',
  text: 'text',
  mediumtext: 'text',
  longtext: 'text',
  blob: 'blob',
  mediumblob: 'blob',
  longblob: 'blob',
  varbinary: 'blob',
};

/**
 * Tables that a backup does not hold: what is made anew after a restore; requests that were answered; mails under way, which a copy of the service must not
 * send a second time; which processes there are and what they do; and what grants access right now. There must be no session in a backup that is found, no session or code that
 * was ended may come to life again, and the keys of tokens can be opened with one `APP_SECRET` only, which need not be
 * that of the place where the backup is restored.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'search_jobs',
  'search_words',
  'type_watches',
  'type_watch_records',
  'idempotency_keys',
  'mail_queue',
  'auth_sessions',
  'auth_challenges',
  'auth_counters',
  'signing_keys',
  'app_secret',
]);

/** All tables of the service by name, with their columns by name: the same on every database. */
export function layoutsOf(source: DataSource): TableLayout[] {
  return source.entityMetadatas
    .filter(({ tableName }) => !LEFT_OUT.has(tableName))
    .map((entity) => layoutOf(entity, source))
    .sort(byName);
}

function layoutOf({ tableName, columns, primaryColumns }: EntityMetadata, source: DataSource): TableLayout {
  return {
    name: tableName,
    columns: columns
      .map((column) => ({ name: column.databaseName, kind: kindOf(column, source, tableName) }))
      .sort(byName),
    key: primaryColumns.map(({ databaseName }) => databaseName),
  };
}

function kindOf(column: ColumnMetadata, { driver }: DataSource, table: string): Kind {
  const type = driver.normalizeType(column);
  const kind = KINDS[type];
  if (!kind) throw new Error(`A backup cannot hold ${table}.${column.databaseName}: it knows no columns of ${type}.`);
  return kind;
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}
