import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ContentRecord } from '../model.js';
import { PAGE_SIZE } from '../queries.js';
import { client } from '../service.js';
import type { SearchSearch } from './search-search.js';

/** A record that a search has found. */
export interface Hit extends Pick<ContentRecord, 'id' | 'type' | 'title' | 'slug' | 'status' | 'updated_at'> {
  /** HTML: escaped, with `<mark>` around what was found. */
  readonly excerpt: string;
  readonly highlights: { readonly title: string };
}

interface Hits {
  readonly data: readonly Hit[];
  readonly meta: { readonly total: number; readonly suggestion?: string };
}

interface Faceted {
  readonly meta: { readonly facets: Readonly<Record<'type' | 'status', Readonly<Record<string, number>>>> };
}

const SEARCH = '/api/cms/search';
const PALETTE_HITS = 8;

/** The best hits of what is typed. A request whose words have changed is cancelled. */
export const paletteQuery = (q: string) =>
  queryOptions({
    queryKey: ['palette', q],
    enabled: q !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      client.request('GET', SEARCH, { signal, query: { q, per_page: PALETTE_HITS, count: 'none' } }) as Promise<
        Pick<Hits, 'data'>
      >,
  });

/** A page of what a search finds. */
export const searchQuery = (search: SearchSearch) =>
  queryOptions({
    queryKey: ['search', search],
    enabled: search.q !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      client.request('GET', SEARCH, { signal, query: { ...search, per_page: PAGE_SIZE } }) as Promise<Hits>,
  });

/** The number of matches of each type, and of each status. */
export const facetsQuery = (within: Omit<SearchSearch, 'page'>) =>
  queryOptions({
    queryKey: ['search', 'facets', within],
    enabled: within.q !== '',
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { ...within, per_page: 1, facets: 'type,status' };
      const { meta } = (await client.request('GET', SEARCH, { signal, query })) as Faceted;
      return meta.facets;
    },
  });
