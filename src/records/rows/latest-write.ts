import type { EntityManager } from 'typeorm';
import { TYPE_ROWS } from '../../content-types/store/type-rows.js';
import { select } from '../../database/statements/statement.js';

/**
 * `updated_at` of the record that was written last, of those outside the trash; 0: there is none. An index leads to it
 * for each type. What changes the views of records without writing them has to lie after it, or a client would get the answer
 * that a record is unchanged: clocks of instances differ, and a record that is written often runs ahead of all of them.
 */
export async function latestWrite(manager: EntityManager): Promise<number> {
  const [row] = await select<{ at: number | string | null }>(
    manager,
    `SELECT MAX(latest.at) AS at
       FROM (SELECT (SELECT r.updated_at FROM records r WHERE r.type_id = t.id AND r.trashed_at = 0
                      ORDER BY r.type_id DESC, r.trashed_at DESC, r.updated_at DESC LIMIT 1) AS at
               FROM ${TYPE_ROWS}) latest`,
  );
  return Number(row?.at ?? 0);
}
