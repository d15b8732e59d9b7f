import type { Reader } from '../database/statements/reads.js';
import { termIdsOf } from '../records/rows/record-row.js';
import type { RecordState } from '../records/writing/record-state.js';
import { namedTerms } from '../taxonomy/terms/named-terms.js';
import type { TermNames } from './snapshots/snapshot.js';

/** Terms of all these states by id. Those of a unit of work have to be read within it: a term may be as new as its assignment. */
export function termNames(reader: Reader, states: readonly Pick<RecordState, 'terms'>[]): Promise<TermNames> {
  return namedTerms(reader, [...new Set(states.flatMap(({ terms }) => termIdsOf(terms)))]);
}
