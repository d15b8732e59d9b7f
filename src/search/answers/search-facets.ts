import type { Caller } from '../../common/access/caller.js';
import { Injectable } from '@nestjs/common';
import { STATUSES, type Status } from '../../content-types/definition/content-type.js';
import type { PlaceCount } from '../search-index.js';
import type { Facet, SearchParameters } from './search-query.js';
import { SearchScope, type ScopedType } from './search-scope.js';

/** Hits by name of their type, and by their status. */
export type FacetCounts = Partial<Record<Facet, Readonly<Record<string, number>>>>;

/** Counts hits by type and by status: by each as if it were not narrowed by itself, so that another one can be chosen. */
@Injectable()
export class SearchFacets {
  constructor(private readonly scopes: SearchScope) {}

  /** Everything that a caller may find, which is counted. */
  scope(caller: Caller): Promise<readonly ScopedType[]> {
    return this.scopes.of(caller, { types: null, statuses: STATUSES });
  }

  /** @param all see {@link scope} */
  counts(
    all: readonly ScopedType[],
    { facets, types, statuses }: Pick<SearchParameters, 'facets' | 'types' | 'statuses'>,
    counts: readonly PlaceCount[],
  ): FacetCounts {
    const isAsked = ({ type }: ScopedType) => types === null || types.includes(type.name);
    const sum = (scopes: readonly ScopedType[], some: readonly Status[]) =>
      counts
        .filter(({ typeId, status }) => some.includes(status) && scopes.some((scope) => scope.typeId === typeId))
        .reduce((total, { n }) => total + n, 0);
    const asked = all.filter(isAsked);
    const seen = STATUSES.filter((status) => asked.some((scope) => scope.statuses.includes(status)));
    const found: Record<Facet, Readonly<Record<string, number>>> = {
      type: Object.fromEntries(all.map((scope) => [scope.type.name, sum([scope], statuses)])),
      status: Object.fromEntries(seen.map((status) => [status, sum(asked, [status])])),
    };
    return Object.fromEntries(facets.map((facet) => [facet, found[facet]]));
  }
}
