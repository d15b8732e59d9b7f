import type { EntityManager } from 'typeorm';
import type { Dialect } from '../dialect/dialect.js';
import { executeLater } from './statement-queue.js';
import { execute, type SqlValue } from './statement.js';

/** Rows that one statement deletes: with three indexes they take SQLite some 10 ms, for which it holds up the process. */
export const ROWS_PER_DELETION = 2_000;

export interface RowSelection {
  readonly table: string;
  readonly condition: string;
  readonly values: readonly SqlValue[];
  /** The number of rows that one statement deletes if that is bounded; fewer of long rows. */
  readonly atOnce?: number;
}

/** Deletes some of the rows, {@link RowSelection.atOnce} at most. @returns how many */
export async function deleteSome(
  manager: EntityManager,
  dialect: Dialect,
  { table, condition, values, atOnce = ROWS_PER_DELETION }: RowSelection,
): Promise<number> {
  const onServer = `DELETE FROM ${table} WHERE ${condition} LIMIT ${atOnce}`;
  return (await execute(manager, dialect.deletionOf(table, condition, atOnce) ?? onServer, values)).affected;
}

/** Deletes the rows: on a server with the next statement, in the process itself some at a time. */
export async function deleteAll(
  manager: EntityManager,
  dialect: Dialect,
  { table, condition, values, atOnce = ROWS_PER_DELETION }: RowSelection,
): Promise<void> {
  const some = dialect.deletionOf(table, condition, atOnce);
  if (some === null) return executeLater(manager, `DELETE FROM ${table} WHERE ${condition}`, values);
  while ((await execute(manager, some, values)).affected === atOnce);
}
