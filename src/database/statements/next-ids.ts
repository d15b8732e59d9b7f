import type { DataSource, EntityManager, EntityMetadata, QueryRunner } from 'typeorm';
import type { Dialect } from '../dialect/dialect.js';
import { execute, placeholders, type SqlValue } from './statement.js';

/** The id that each table hands out next, by table. A used id is never used again: histories and the audit mention it. */
export type NextIds = Readonly<Record<string, number>>;

function tablesWithIds({ entityMetadatas }: DataSource): EntityMetadata[] {
  return entityMetadatas.filter(({ primaryColumns }) => primaryColumns.some(({ isGenerated }) => isGenerated));
}

export async function readNextIds(runner: QueryRunner, dialect: Dialect): Promise<NextIds> {
  const found: Record<string, number> = {};
  for (const { tableName } of tablesWithIds(runner.dataSource)) {
    found[tableName] = await dialect.nextId(runner, tableName);
  }
  return found;
}

/** Makes tables hand out no id below these, by a row that comes and goes: `ALTER TABLE` is a right of migrations. */
export async function raiseNextIds(manager: EntityManager, dialect: Dialect, nextIds: NextIds): Promise<void> {
  const { queryRunner } = manager;
  if (!queryRunner) throw new Error('Ids are looked at inside of a unit of work.');
  for (const table of tablesWithIds(manager.dataSource)) {
    const next = nextIds[table.tableName] ?? 1;
    if (next > (await dialect.nextId(queryRunner, table.tableName))) await passBy(manager, table, next - 1);
  }
}

async function passBy(manager: EntityManager, { tableName, columns }: EntityMetadata, id: number): Promise<void> {
  const needed = columns.filter(({ isGenerated, isNullable }) => isGenerated || !isNullable);
  const names = needed.map(({ databaseName }) => manager.dataSource.driver.escape(databaseName));
  const values = needed.map(({ isGenerated, type }) => (isGenerated ? id : emptyOf(type)));
  await execute(manager, `INSERT INTO ${tableName} (${names.join(', ')}) VALUES (${placeholders(values)})`, values);
  await execute(manager, `DELETE FROM ${tableName} WHERE id = ?`, [id]);
}

function emptyOf(type: unknown): SqlValue {
  if (/blob|binary/.test(String(type))) return Buffer.alloc(0);
  return /char|text/.test(String(type)) ? '' : 0;
}
