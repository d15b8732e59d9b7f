import type { Reader } from '../../../database/statements/reads.js';
import { strayRecords } from '../../../records/counting/stray-records.js';
import { strayRedirects, strayTerms } from '../../../taxonomy/terms/stray-terms.js';
import type { DamagedRow, DamagedRows } from '../../backup/damaged-rows.js';

/** Rows that no other row leads to, so that an export that follows references would be silent about them. */
export async function addOrphans(reader: Reader, damaged: DamagedRows): Promise<void> {
  await addAll(damaged, strayRecords(reader), (id) => ({ table: 'records', key: { id }, column: 'type_id' }));
  await addAll(damaged, strayTerms(reader), (id) => ({ table: 'terms', key: { id }, column: 'taxonomy' }));
  await addAll(damaged, strayRedirects(reader), (id) => ({
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
