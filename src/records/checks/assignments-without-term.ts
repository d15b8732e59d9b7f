import type { Reader } from '../../database/statements/reads.js';
import { TERMS_KEY } from '../rows/field-rows.js';

type Term = Readonly<Record<'term', number | string>>;

/**
 * Ids of terms that records hold and that are not there, in their order. Those that were removed or merged are left out:
 * records let go of them by and by. Each term is looked up once, by the index of what is assigned.
 */
export async function* assignmentsWithoutTerm(reader: Reader): AsyncGenerator<number> {
  for (let last = 0; ;) {
    const [row] = await reader.select<Term>(
      `SELECT f.num AS term FROM record_fields f
        WHERE f.field_id = ? AND f.num > ? AND NOT EXISTS (SELECT 1 FROM terms t WHERE t.id = f.num)
          AND NOT EXISTS (SELECT 1 FROM term_redirects r WHERE r.term_id = f.num)
        ORDER BY f.num LIMIT 1`,
      [TERMS_KEY, last],
    );
    if (!row) return;
    last = Number(row.term);
    yield last;
  }
}
