import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/access/caller.js';
import { pageMeta, type ListMeta } from '../common/envelope.js';
import { SearchFacets, type FacetCounts } from './answers/search-facets.js';
import { SearchHits, type HitView } from './answers/search-hits.js';
import { SearchIndex } from './search-index.js';
import { searchParameters } from './answers/search-query.js';
import { SearchScope } from './answers/search-scope.js';
import { Suggestions } from './answers/suggestions.js';
import { parseQuery } from './text/queries/query.js';

interface SearchMeta extends ListMeta {
  readonly query: string;
  readonly took_ms: number;
  /** What was probably meant, where nothing was found. */
  readonly suggestion?: string;
  /** Absent: they were not asked for. */
  readonly facets?: FacetCounts;
}

export interface SearchAnswer {
  readonly data: readonly HitView[];
  readonly meta: SearchMeta;
}

/** Finds records by what they say. */
@Injectable()
export class SearchService {
  constructor(
    private readonly scopes: SearchScope,
    private readonly index: SearchIndex,
    private readonly hits: SearchHits,
    private readonly suggestions: Suggestions,
    private readonly facets: SearchFacets,
  ) {}

  /** @throws {DomainError} `invalid_query`, `type_not_found`, `insufficient_scope`, `overloaded` */
  async search(parameters: URLSearchParams, caller: Caller): Promise<SearchAnswer> {
    const startedAt = performance.now();
    const asked = searchParameters(parameters);
    const { q, page, perPage, isCounted } = asked;
    const within = await this.scopes.of(caller, asked);
    const countedIn = asked.facets.length === 0 ? null : await this.facets.scope(caller);
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
        ...(countedIn ? { facets: this.facets.counts(countedIn, asked, counts) } : {}),
      },
    };
  }
}
