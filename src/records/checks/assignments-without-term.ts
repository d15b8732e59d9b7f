import type { Reader } from '../../database/statements/reads.js';
import { absentTerms } from '../../taxonomy/terms/terms-without-taxonomy.js';
import { TERMS_KEY } from '../rows/field-rows.js';

type Term = Readonly<Record<'term', number | string>>;

const TERMS_PER_STATEMENT = 500;

/**
 * Ids of terms that records hold and that are not there, in their order. Those that were removed or merged are left out:
 * records let go of them by and by. The terms are read in portions, by the index of what is assigned.
 */
export async function* assignmentsWithoutTerm(reader: Reader): AsyncGenerator<number> {
  for (let last = 0; ;) {
    const rows = await reader.select<Term>(
      `SELECT DISTINCT num AS term FROM record_fields WHERE field_id = ? AND num > ? ORDER BY num LIMIT ${TERMS_PER_STATEMENT}`,
      [TERMS_KEY, last],
    );
    const terms = rows.map(({ term }) => Number(term));
    last = terms.at(-1) ?? last;
    if (terms.length > 0) yield* await absentTerms(reader, terms);
    if (terms.length < TERMS_PER_STATEMENT) return;
  }
}
