import type { StatusCount } from '../content-types/store/type-usage.port.js';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/access/caller.js';
import { pageMeta, type ListMeta } from '../common/envelope.js';
import type { OpenAPIV3_1 } from 'openapi-types';
import { objectOf } from '../common/openapi/describe.js';
import { named } from '../common/openapi/endpoint.js';
import { SEARCH_HIT, SearchHits, type HitView } from './answers/search-hits.js';
import { STATUSES, type Status } from '../content-types/definition/content-type.js';
import { SearchIndex } from './search-index.js';
import { searchParameters, type Facet, type SearchParameters } from './answers/search-query.js';
import { SearchScope, type ScopedType } from './answers/search-scope.js';
import { Suggestions } from './answers/suggestions.js';
import { parseQuery } from './text/queries/query.js';

/** Hits by name of their type, and by their status. */
type FacetCounts = Partial<Record<Facet, Readonly<Record<string, number>>>>;

interface SearchMeta extends ListMeta {
  readonly query: string;
  readonly took_ms: number;
  /** The query that was probably meant, if nothing was found. */
  readonly suggestion?: string;
  /** Absent: they were not asked for. */
  readonly facets?: FacetCounts;
}

export interface SearchAnswer {
  readonly data: readonly HitView[];
  readonly meta: SearchMeta;
}

const COUNTS: OpenAPIV3_1.SchemaObject = { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } };

const SEARCH_META = objectOf(
  {
    total: {
      type: 'integer',
      minimum: 0,
      description: 'All hits that the caller may see, exactly; absent with `count=none`.',
    },
    per_page: { type: 'integer', minimum: 1, maximum: 100 },
    current_page: { type: 'integer', minimum: 1 },
    last_page: { type: 'integer', minimum: 1, description: 'Absent with `count=none`.' },
    query: { type: 'string', description: '`q` as it was sent.' },
    took_ms: { type: 'integer', minimum: 0 },
    suggestion: {
      type: 'string',
      description: 'Only if nothing was found: the words that were probably meant, which would find something.',
    },
    facets: {
      type: 'object',
      description: 'Only if `facets` asks for it.',
      additionalProperties: false,
      properties: {
        type: { ...COUNTS, description: 'Hits by type, whatever `type` is.' },
        status: { ...COUNTS, description: 'Hits by status, whatever `status` is.' },
      },
    },
  },
  { required: ['per_page', 'current_page', 'query', 'took_ms'] },
);

/** {@link SearchAnswer} in the description of the API. */
export const SEARCH_ANSWER = named(
  'SearchAnswer',
  objectOf({ data: { type: 'array', items: SEARCH_HIT }, meta: named('SearchMeta', SEARCH_META) }),
);

/** Finds records by what they say. */
@Injectable()
export class SearchService {
  constructor(
    private readonly scopes: SearchScope,
    private readonly index: SearchIndex,
    private readonly hits: SearchHits,
    private readonly suggestions: Suggestions,
  ) {}

  /** @throws {DomainError} `invalid_query`, `type_not_found`, `insufficient_scope`, `overloaded` */
  async search(parameters: URLSearchParams, caller: Caller): Promise<SearchAnswer> {
    const startedAt = performance.now();
    const asked = searchParameters(parameters);
    const { q, page, perPage, isCounted } = asked;
    const within = await this.scopes.of(caller, asked);
    const everything = { types: null, statuses: STATUSES };
    const countedIn = asked.facets.length === 0 ? null : await this.scopes.of(caller, everything);
    const query = parseQuery(q);
    const part = { offset: (page - 1) * perPage, limit: perPage };
    const {
      total,
      hits,
      counts = [],
    } = await this.index.search({
      ...{ query, within, ...part },
      ...{ isQuick: !isCounted, countedIn },
    });
    const data = await this.hits.of(hits, query, within);
    const suggestion = total === 0 && !query.isEmpty ? await this.suggestions.of(q, within) : null;
    return {
      data,
      meta: {
        ...(isCounted ? pageMeta(total, { page, perPage }) : { per_page: perPage, current_page: page }),
        query: q,
        took_ms: Math.round(performance.now() - startedAt),
        ...(suggestion === null ? {} : { suggestion }),
        ...(countedIn ? { facets: facetCounts(countedIn, asked, counts) } : {}),
      },
    };
  }
}

/**
 * Hits by type and by status: by each as if they were not narrowed by itself, so that another one can be chosen.
 *
 * @param all everything that the caller may find, of which the hits are counted
 */
function facetCounts(
  all: readonly ScopedType[],
  { facets, types, statuses }: SearchParameters,
  counts: readonly StatusCount[],
): FacetCounts {
  const sum = (scopes: readonly ScopedType[], some: readonly Status[]) =>
    counts
      .filter(({ typeId, status }) => some.includes(status) && scopes.some((scope) => scope.typeId === typeId))
      .reduce((total, { n }) => total + n, 0);
  const asked = all.filter(({ type }) => types === null || types.includes(type.name));
  const seen = STATUSES.filter((status) => asked.some((scope) => scope.statuses.includes(status)));
  const found: Record<Facet, Readonly<Record<string, number>>> = {
    type: Object.fromEntries(all.map((scope) => [scope.type.name, sum([scope], statuses)])),
    status: Object.fromEntries(seen.map((status) => [status, sum(asked, [status])])),
  };
  return Object.fromEntries(facets.map((facet) => [facet, found[facet]]));
}
