import documents from '../fixtures/search/documents.json' with { type: 'json' };
import queries from '../fixtures/search/queries.json' with { type: 'json' };
import { indexText } from '../../src/search/text/analysis/analyzer.js';
import { plainText } from '../../src/search/text/markup/plain-text.js';

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
  return [indexText(title), indexText(tags.join(' \n')), indexText(plainText(body))];
}
