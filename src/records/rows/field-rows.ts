import type { EntityManager } from 'typeorm';
import { execute, type SqlValue } from '../../database/statements/statement.js';
import { executeLater, insertRows } from '../../database/statements/statement-queue.js';

/** What the rows of the side index stand for when they are no values of a field: the terms of a record. */
export const TERMS_KEY = 0;

/** One row of the side index, in the order of {@link COLUMNS}. */
export type FieldRow = readonly SqlValue[];

const COLUMNS = 'record_id, field_id, pos, num, str, sort_key, unique_key, sort_at';

/**
 * Writes rows of the side index, however many there are.
 *
 * @param hasUnique whether rows have a unique key: only these can be refused
 */
export async function insertFieldRows(
  manager: EntityManager,
  rows: Iterable<FieldRow>,
  { hasUnique }: { hasUnique: boolean },
): Promise<void> {
  const write = hasUnique ? execute : executeLater;
  await insertRows(manager, `INSERT INTO record_fields (${COLUMNS})`, rows, { write });
}
