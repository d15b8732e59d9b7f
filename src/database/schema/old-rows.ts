import { execute, placeholders, select, type SqlValue } from '../statements/statement.js';
import type { UnitOfWork } from '../units/unit-of-work.js';

const BATCH = 500;

export interface OldRows {
  readonly table: string;
  /** Has one `?`, for {@link before}. */
  readonly condition: string;
  /** Milliseconds since 1970, UTC. */
  readonly before: number;
}

/** Deletes them, in units of work that are small enough for others to go between. @param signal ends it early */
export async function deleteOld(units: UnitOfWork, old: OldRows, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await deleteSome(units, old)) === BATCH);
}

function deleteSome(units: UnitOfWork, { table, condition, before }: OldRows): Promise<number> {
  return units.run(async (manager) => {
    const sql = `SELECT id FROM ${table} WHERE ${condition} LIMIT ${BATCH}`;
    const ids = (await select<{ id: SqlValue }>(manager, sql, [before])).map(({ id }) => id);
    // Once more the condition: a row may have been used since it was read.
    if (ids.length > 0) {
      const which = `id IN (${placeholders(ids)}) AND ${condition}`;
      await execute(manager, `DELETE FROM ${table} WHERE ${which}`, [...ids, before]);
    }
    return ids.length;
  });
}
