import type { Reader } from '../database/reads.js';
import { placeholders } from '../database/statement.js';
import { termIdsOf } from '../records/rows/record-row.js';
import type { RecordState } from '../records/writing/record-state.js';
import type { SnapshotTerm, TermNames } from './snapshots/snapshot.js';

/** Each id is sent twice, and SQLite takes 32,766 values. */
const PORTION = 10_000;

/** Terms of all these states by id. Those of a unit of work have to be read within it: a term may be as new as its assignment. */
export async function termNames(reader: Reader, states: readonly Pick<RecordState, 'terms'>[]): Promise<TermNames> {
  const ids = [...new Set(states.flatMap(({ terms }) => termIdsOf(terms)))];
  const names = new Map<number, SnapshotTerm>();
  for (let start = 0; start < ids.length; start += PORTION) {
    const some = ids.slice(start, start + PORTION);
    const these = placeholders(some);
    const rows = await reader.select<SnapshotTerm & { readonly asked: number }>(
      `SELECT t.id AS asked, t.id, t.slug, t.name FROM terms t WHERE t.id IN (${these})
       UNION ALL
       SELECT r.term_id AS asked, t.id, t.slug, t.name FROM term_redirects r JOIN terms t ON t.id = r.into_id
        WHERE r.term_id IN (${these})`,
      [...some, ...some],
    );
    for (const { asked, ...term } of rows) names.set(asked, term);
  }
  return names;
}
