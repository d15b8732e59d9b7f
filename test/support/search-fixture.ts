import documents from '../fixtures/search/documents.json' with { type: 'json' };
import queries from '../fixtures/search/queries.json' with { type: 'json' };
import { termsOf } from './terms.js';
import { plainText } from '../../src/search/text/markup/plain-text.js';
import type { Clause, SearchQuery } from '../../src/search/text/queries/query.js';

/** A record to be found. Later ones are newer. */
export interface FixtureDocument {
  readonly slug: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly body: string;
}

export interface FixtureQuery {
  readonly q: string;
  /** The slugs of all records that are found, in no order. */
  readonly expect: readonly string[];
  /** The one that comes first. */
  readonly first?: string;
  /** The order of all of them. */
  readonly order?: readonly string[];
  /** The word that was probably meant, `null` where none is near. */
  readonly suggestion?: string | null;
  readonly note: string;
}

export const DOCUMENTS: readonly FixtureDocument[] = documents;
export const QUERIES: readonly FixtureQuery[] = queries;

/** The title, the terms and the body of a record as an index has them. */
export function indexColumns({ title, tags, body }: FixtureDocument): [string, string, string] {
  return [termsOf(title), termsOf(tags.join(' \n')), termsOf(plainText(body))];
}

/** Whether a record with such columns, as `indexText` writes them, answers a query: what every engine must agree with. */
export function matches({ clauses, excluded, isEmpty }: SearchQuery, columns: readonly string[]): boolean {
  const padded = columns.map((column) => ` ${column} `);
  const holds = (clause: Clause) => runningTexts(clause).some((text) => padded.some((column) => column.includes(text)));
  return !isEmpty && clauses.every(holds) && !excluded.some(holds);
}

/** What a clause looks for, one text of several. `' wi_ fi'` finds `wi_ find` as well. */
function runningTexts(clause: Clause): string[] {
  if (clause.kind === 'any') return clause.alternatives.flatMap(runningTexts);
  const terms = clause.kind === 'term' ? clause.term : clause.terms.join(' ');
  return [` ${terms}${clause.isPrefix ? '' : ' '}`];
}
