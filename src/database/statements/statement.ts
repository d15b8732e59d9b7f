import type { EntityManager, EntityTarget, InsertQueryBuilder, ObjectLiteral, QueryDeepPartialEntity } from 'typeorm';
import type { SqlValue } from '../dialect/dialect.js';

export interface Written {
  readonly affected: number;
  readonly insertId: number;
}

/** Sorts behind every text that starts with what stands before it. */
export const LAST_CODE_POINT = '\u{10FFFF}';

export type { SqlValue };

/** A piece of SQL with the values for its `?`. */
export interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

export function joined(parts: readonly Sql[], separator: string): Sql {
  return { text: parts.map(({ text }) => text).join(separator), values: parts.flatMap(({ values }) => values) };
}

/** Reads rows inside a unit of work, so that it sees what the unit has written. */
export function select<Row>(manager: EntityManager, sql: string, values: readonly SqlValue[] = []): Promise<Row[]> {
  return manager.query<Row[]>(sql, [...values]);
}

/** Runs one writing statement of a unit of work; the shape of the answer is the same on every database. */
export async function execute(manager: EntityManager, sql: string, values: readonly SqlValue[] = []): Promise<Written> {
  if (!manager.queryRunner) throw new Error('Statements that write belong into UnitOfWork.run.');
  const { raw, affected } = (await manager.queryRunner.query(sql, [...values], true)) as {
    raw: unknown;
    affected?: number;
  };
  return { affected: affected ?? 0, insertId: insertIdOf(raw) };
}

/** Inserts a row by one statement: `EntityManager.insert` sends a second one, which reads default values. @returns the id */
export async function insertRow<Entity extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Entity>,
  row: QueryDeepPartialEntity<Entity>,
): Promise<number> {
  return insertIdOf((await insertionOf(manager, entity, row).execute()).raw);
}

/** {@link insertRow}, unless a row has its key. */
export async function insertOrIgnore<Entity extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Entity>,
  row: QueryDeepPartialEntity<Entity>,
): Promise<void> {
  await insertionOf(manager, entity, row).orIgnore().execute();
}

function insertionOf<Entity extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Entity>,
  row: QueryDeepPartialEntity<Entity>,
): InsertQueryBuilder<Entity> {
  return manager.createQueryBuilder().insert().into(entity).values(row).updateEntity(false);
}

/** @param raw a header object of mysql2, or the id of the row from better-sqlite3 */
function insertIdOf(raw: unknown): number {
  const insertId = typeof raw === 'object' && raw !== null ? (raw as { insertId?: number }).insertId : raw;
  return Number(insertId ?? 0);
}

/** `?, ?, ?` for as many values. */
export function placeholders(values: readonly unknown[]): string {
  return Array<string>(values.length).fill('?').join(', ');
}
