import type { EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { select } from '../../database/statements/statement.js';
import { isUnreadable } from '../rows/record-cells.js';
import { termIdsOf, termsOf, type RecordRow } from '../rows/record-row.js';
import { TERMS_KEY } from '../rows/field-rows.js';
import type { RecordState, StateColumn } from './record-state.js';

const REPLACED_BY: Readonly<Record<StateColumn, string>> = {
  title: 'title of the record is no text. Send it',
  body: 'body of the record is no text. Send it',
  published_at: 'time of publication of the record is none. Send published_at',
  data: 'values of the record cannot be read. Send all fields of its type',
  terms: 'terms of the record cannot be read. Send those of all taxonomies of its type',
};

/**
 * What stands in a damaged cell may be all that is left of it, so no write replaces it as a side effect.
 *
 * @throws {DomainError} `record_damaged`: a column cannot be read, and the write does not replace all of it
 */
export function requireReadable({ damaged = [] }: RecordState): void {
  const [column] = damaged;
  if (column === undefined) return;
  throw new DomainError(
    'record_damaged',
    `The stored ${REPLACED_BY[column]}, or roll it back to a revision as a whole.`,
    { details: damaged.map((name) => ({ column: name })) },
  );
}

/** Ids of the terms that a record is counted by: those of the index, which has a copy of them, where they cannot be read. */
export async function countedTerms(manager: EntityManager, row: RecordRow): Promise<number[]> {
  const terms = termsOf(row);
  if (!isUnreadable(terms)) return termIdsOf(terms);
  const sql = 'SELECT num FROM record_fields WHERE record_id = ? AND field_id = ?';
  const rows = await select<{ num: number | string }>(manager, sql, [row.id, TERMS_KEY]);
  return rows.map(({ num }) => Number(num));
}
