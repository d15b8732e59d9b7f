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

const PALETTE_HITS = 8;

/** The best hits of what is typed. A request whose words have changed is cancelled. */
export const paletteQuery = (q: string) =>
  queryOptions({
    queryKey: ['palette', q],
    enabled: q !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => hitsOf({ q, page: 1 }, PALETTE_HITS, signal),
  });

/** A page of what a search finds. */
export const searchQuery = (search: SearchSearch) =>
  queryOptions({
    queryKey: ['search', search],
    enabled: search.q !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => hitsOf(search, PAGE_SIZE, signal),
  });

/** How much a search finds of a type, of a status, or of both. */
export const searchCountQuery = (within: Omit<SearchSearch, 'page'>) =>
  queryOptions({
    queryKey: ['search', 'count', within],
    enabled: within.q !== '',
    queryFn: ({ signal }) => hitsOf({ ...within, page: 1 }, 1, signal).then(({ meta }) => meta.total),
  });

function hitsOf(search: SearchSearch, perPage: number, signal: AbortSignal): Promise<Hits> {
  const query = { ...search, per_page: perPage };
  return client.request('GET', '/api/cms/search', { query, signal }) as Promise<Hits>;
}
