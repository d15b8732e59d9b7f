import type { Reader } from '../../../database/statements/reads.js';
import { recordsWithoutType } from '../../../records/counting/records-without-type.js';
import { redirectsWithoutTarget, termsWithoutTaxonomy } from '../../../taxonomy/terms/terms-without-taxonomy.js';
import type { DamagedRow, DamagedRows } from '../../backup/damaged-rows.js';

/** Rows that no other row leads to, so that an export that follows references would be silent about them. */
export async function addOwnerlessRows(reader: Reader, damaged: DamagedRows): Promise<void> {
  await addAll(damaged, recordsWithoutType(reader), (id) => ({ table: 'records', key: { id }, column: 'type_id' }));
  await addAll(damaged, termsWithoutTaxonomy(reader), (id) => ({ table: 'terms', key: { id }, column: 'taxonomy' }));
  await addAll(damaged, redirectsWithoutTarget(reader), (id) => ({
    table: 'term_redirects',
    key: { term_id: id },
    column: 'into_id',
  }));
}

async function addAll(
  damaged: DamagedRows,
  ids: AsyncGenerator<number>,
  placeOf: (id: number) => Omit<DamagedRow, 'expected'>,
): Promise<void> {
  for await (const id of ids) damaged.add({ ...placeOf(id), expected: 'reference' });
}
