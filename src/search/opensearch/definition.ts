import { LENGTH_SHARE, SATURATION, USUAL_LENGTH } from '../text/queries/relevance.js';
import { MAX_TERM_LENGTH } from '../text/analysis/term.js';

/** Of what is below and of how documents are written. An index of another version is built anew. */
export const VERSION = 1;

/** The field of a text that has each word by all its beginnings, in the same places. */
export function beginningsOf(field: string): string {
  return `${field}.start`;
}

/**
 * Occurrences of a word over what they are damped by in a text of that length: nothing of other documents goes into it, of
 * which the caller may not see all (ADR 21). Negative or falling scores would be refused by OpenSearch.
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

/** What is found of a mapping that this program made. */
export interface IndexMeta {
  readonly program: string;
  readonly version: number;
}

export const META: IndexMeta = { program: 'content-service', version: VERSION };

/** @see https://docs.opensearch.org/latest/api-reference/index-apis/create-index/ */
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
    _meta: META,
    dynamic: 'strict',
    // Records are read from the database: texts need not be kept a second time.
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
