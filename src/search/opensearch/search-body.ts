import type { SearchedType, SearchRequest } from '../search-index.js';
import type { Clause, PhraseClause, TermClause } from '../text/queries/query.js';
import { COLUMN_WEIGHTS, countedPhrases } from '../text/queries/relevance.js';
import { beginningsOf } from './definition.js';

/** A query of OpenSearch. @see https://docs.opensearch.org/latest/query-dsl/ */
type Query = Readonly<Record<string, unknown>>;

const FIELDS = ['title', 'terms', 'body'] as const;
type Field = (typeof FIELDS)[number];

/** Maps any score into 0 to 1, ascending, and takes its part of the sum. */
const SHARE = 'params.part * _score / (_score + 1)';

/**
 * The body of a search. Filters, which do not score, decide what is found. The score is made of the hit alone:
 * clauses that its title has, then clauses that its terms have, then how often the words occur in it.
 *
 * @see scoreOf
 */
export function searchBody({ query, within, offset, limit }: SearchRequest): object {
  const { clauses, excluded } = query;
  return {
    query: {
      bool: {
        filter: [visible(within), ...clauses.map(anywhere)],
        ...(excluded.length > 0 && { must_not: excluded.map(anywhere) }),
        ...(limit > 0 && {
          should: [
            ...clauses.map((clause) => worth(inField(clause, 'title'), clauses.length + 2)),
            ...clauses.map((clause) => worth(inField(clause, 'terms'), 1)),
            ...relevance(countedPhrases(query)),
          ],
        }),
      },
    },
    from: limit > 0 ? offset : 0,
    size: limit,
    sort: [{ _score: 'desc' }, { sort_at: 'desc' }, { id: 'desc' }],
    track_total_hits: true,
    _source: false,
  };
}

/** Documents that may be seen; one condition for all types with the same statuses. */
function visible(within: readonly SearchedType[]): Query {
  const groups = new Map<string, { statuses: readonly string[]; typeIds: number[] }>();
  for (const { typeId, statuses } of within) {
    const key = statuses.join();
    const group = groups.get(key) ?? { statuses, typeIds: [] };
    groups.set(key, { statuses, typeIds: [...group.typeIds, typeId] });
  }
  return any(
    [...groups.values()].map(({ statuses, typeIds }) => ({
      bool: { filter: [{ terms: { status: statuses } }, { terms: { type_id: typeIds } }] },
    })),
  );
}

function anywhere(clause: Clause): Query {
  return any(FIELDS.map((field) => inField(clause, field)));
}

function inField(clause: Clause, field: Field): Query {
  switch (clause.kind) {
    case 'term':
      return term(clause, field);
    case 'phrase':
      return phrase(clause, field);
    case 'any':
      return any(clause.alternatives.map((one) => inField(one, field)));
  }
}

function term({ term, isPrefix }: TermClause, field: Field): Query {
  return { term: { [isPrefix ? beginningsOf(field) : field]: { value: term } } };
}

function phrase({ terms, isPrefix }: PhraseClause, field: Field): Query {
  if (!isPrefix) return { match_phrase: { [field]: { query: terms.join(' ') } } };
  const whole = terms.slice(0, -1).map((value) => ({ span_term: { [field]: { value } } }));
  const last = { span_term: { [beginningsOf(field)]: { value: terms.at(-1) ?? '' } } };
  // Both fields have the same words at the same positions.
  const masked = { field_masking_span: { query: last, field } };
  return { span_near: { clauses: [...whole, masked], slop: 0, in_order: true } };
}

function worth(filter: Query, boost: number): Query {
  return { constant_score: { filter, boost } };
}

/** The mean of the scores of words and phrases, each mapped into 0 to 1. */
function relevance(phrases: readonly (TermClause | PhraseClause)[]): Query[] {
  return phrases.map((one) => ({
    script_score: {
      query: { bool: { should: FIELDS.map((field) => weighted(one, field)) } },
      script: { source: SHARE, params: { part: 1 / phrases.length } },
    },
  }));
}

function weighted(clause: TermClause | PhraseClause, field: Field): Query {
  return { bool: { must: [inField(clause, field)], boost: COLUMN_WEIGHTS[field] } };
}

function any(should: readonly Query[]): Query {
  return { bool: { should, minimum_should_match: 1 } };
}
