import { LENGTH_SHARE, SATURATION, USUAL_LENGTH } from '../text/queries/relevance.js';
import { MAX_TERM_LENGTH } from '../text/analysis/term.js';

/** Version of the definition below, and of how documents are written. An index of an older version is built anew. */
export const VERSION = 1;
/** Version of the searches that an index answers. It changes where a search of one release fails on the indexes of another. */
const SEARCHES = 1;

/** The alias by which the documents of a database are written into an index. A write by the name of a removed index would create it again. */
export function feedAlias(index: string, database: string): string {
  return `${index}-feed-${database}`;
}

/** The alias by which a database is searched: it leads to no index of another database, or that answers other searches. */
export function searchAlias(alias: string, database: string): string {
  return `${alias}-search${SEARCHES}-${database}`;
}

/** The name of the field with all prefixes of the words of a text, at the positions of the words: `title.start` */
export function beginningsOf(field: string): string {
  return `${field}.start`;
}

/**
 * The score of a word: its occurrences, damped by the length of the text. Nothing of other documents goes into it, since
 * the caller may not see all of them (ADR 21). OpenSearch refuses a script with negative or falling scores.
 *
 * @see https://docs.opensearch.org/latest/im-plugin/similarity/
 */
const DAMPING = `${SATURATION} * (${1 - LENGTH_SHARE} + ${LENGTH_SHARE} * doc.length / ${USUAL_LENGTH}.0)`;
const SIMILARITY = `return query.boost * doc.freq / (${DAMPING});`;

const NAME = 'own';
const TEXT = {
  type: 'text',
  analyzer: 'whitespace',
  similarity: NAME,
  fields: {
    start: { type: 'text', analyzer: 'beginnings', search_analyzer: 'whitespace', similarity: NAME },
  },
};

/** What the mapping of an index says of the program that made it. */
export interface IndexMeta {
  readonly program: string;
  readonly version: number;
  /** Whose documents it has. */
  readonly database: string;
}

export const PROGRAM = 'content-service';

/** What an index is made with; {@link definitionFor} adds whose it is. @see https://docs.opensearch.org/latest/api-reference/index-apis/create-index/ */
export const DEFINITION = {
  settings: {
    index: {
      refresh_interval: '1s',
      // Longer than a process may stand still and then go on with what it was about to send.
      gc_deletes: '1h',
      max_result_window: 100_000,
      similarity: { [NAME]: { type: 'scripted', script: { source: SIMILARITY } } },
      analysis: {
        filter: { beginnings: { type: 'edge_ngram', min_gram: 1, max_gram: MAX_TERM_LENGTH } },
        analyzer: { beginnings: { type: 'custom', tokenizer: 'whitespace', filter: ['beginnings'] } },
      },
    },
  },
  mappings: {
    dynamic: 'strict',
    // Records are read from the database, so the texts are not stored a second time.
    _source: { excludes: ['title', 'terms', 'body'] },
    properties: {
      id: { type: 'long' },
      type_id: { type: 'long' },
      status: { type: 'keyword' },
      sort_at: { type: 'long' },
      title: TEXT,
      terms: TEXT,
      body: TEXT,
      feed: { type: 'object', enabled: false },
    },
  },
} as const;

/** Hits that pages may reach. */
export const MOST_REACHED = DEFINITION.settings.index.max_result_window;

/** What an index is made with for a database. */
export function definitionFor(database: string): object {
  const _meta: IndexMeta = { program: PROGRAM, version: VERSION, database };
  return { ...DEFINITION, mappings: { _meta, ...DEFINITION.mappings } };
}
