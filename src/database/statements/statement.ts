import type { EntityManager } from 'typeorm';

/** The result of a writing statement. */
export interface Written {
  /** Rows changed. */
  readonly affected: number;
  /** Id of the first row inserted, where the database assigned one. */
  readonly insertId: number;
}

/** Sorts behind every text that starts with what stands before it. */
export const LAST_CODE_POINT = '\u{10FFFF}';

/** A value that a statement can be given for a `?`. */
export type SqlValue = string | number | bigint | Buffer | null;

/** Reads rows inside a unit of work, so that it sees what the unit has written. */
export function select<Row>(manager: EntityManager, sql: string, values: readonly SqlValue[] = []): Promise<Row[]> {
  return manager.query<Row[]>(sql, [...values]);
}

/** Runs one writing statement of a unit of work; the shape of the answer is the same on every database. */
export async function execute(manager: EntityManager, sql: string, values: readonly SqlValue[] = []): Promise<Written> {
  const runner = manager.queryRunner ?? unreachable();
  const { raw, affected } = (await runner.query(sql, [...values], true)) as { raw: unknown; affected?: number };
  // mysql2 answers with a header object, better-sqlite3 with the id of the row.
  const insertId = typeof raw === 'object' && raw !== null ? (raw as { insertId?: number }).insertId : raw;
  return { affected: affected ?? 0, insertId: Number(insertId ?? 0) };
}

function unreachable(): never {
  throw new Error('Statements that write belong into UnitOfWork.run.');
}

/** `?, ?, ?` for as many values. */
export function placeholders(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
