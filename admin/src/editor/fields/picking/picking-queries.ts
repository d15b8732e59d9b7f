import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ContentRecord, ListedTerm, Reference, Status, Term } from '../../../model.js';
import { dataOf } from '../../../queries.js';
import { client } from '../../../service.js';

/** A record that a relation may point to. */
export interface Target extends Reference {
  readonly title: string;
  readonly status: Status;
}

/** A page of what can be picked. */
export interface Picks<Item> {
  readonly data: readonly Item[];
  readonly meta: { readonly total: number; readonly current_page: number; readonly last_page: number };
}

/** Terms that can be picked. */
export interface TermPicks extends Picks<ListedTerm> {
  readonly meta: Picks<ListedTerm>['meta'] & { readonly hierarchical: boolean };
}

/** Records, and terms, of a page: so many as one looks through. */
const PAGE = 20;
/** Ids that a list is asked for at once. */
export const MOST_IDS = 100;
const TARGET = 'id,type,title,status';

/** Items for some words, page by page. */
export interface PickSource<Page> {
  readonly key: readonly unknown[];
  readonly page: (page: number, signal: AbortSignal) => Promise<Page>;
}

/** All records of a type, the newest first; with words, those that the search finds. */
export function targetsFor(type: string, words: string): PickSource<Picks<Target>> {
  const read = (page: number, signal: AbortSignal) => {
    const common = { page, per_page: PAGE };
    return words === ''
      ? client.request('GET', `/api/cms/${type}`, { signal, query: { ...common, sort: '-updated_at', fields: TARGET } })
      : client.request('GET', '/api/cms/search', { signal, query: { ...common, q: words.slice(0, 256), type } });
  };
  return { key: ['targets', type, words], page: (page, signal) => read(page, signal) as Promise<Picks<Target>> };
}

/** All terms of a taxonomy in their order; with words, those whose names contain them, the nearest first. */
export function termsFor(taxonomy: string, words: string): PickSource<TermPicks> {
  const read = (page: number, signal: AbortSignal) => {
    const query = { page, per_page: PAGE, contains: words.slice(0, 255) };
    return client.request('GET', `/api/cms/taxonomy/${taxonomy}`, { signal, query }) as Promise<TermPicks>;
  };
  return { key: ['terms', taxonomy, words], page: read };
}

export const termQuery = (taxonomy: string, id: number) =>
  queryOptions({
    queryKey: ['term', taxonomy, id],
    queryFn: ({ signal }) =>
      client.request('GET', `/api/cms/taxonomy/${taxonomy}/${id}`, { signal }).then(dataOf<Term>),
    staleTime: Infinity,
  });

/** Titles of records of a type, as far as the caller may see them. */
export const titlesQuery = (type: string, ids: readonly number[]) =>
  queryOptions({
    queryKey: ['titles', type, ids],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { 'filter[id][in]': ids.join(','), per_page: ids.length, fields: TARGET };
      const found = await client.request('GET', `/api/cms/${type}`, { signal, query }).then(dataOf<readonly Target[]>);
      return new Map(found.map((target) => [target.id, target]));
    },
  });

/** Another record that has a slug already. */
export interface SlugHolder extends Pick<ContentRecord, 'id' | 'title'> {
  readonly locale?: string;
}

/** The record that has a slug. @param locale absent: no other record of any language may have it */
export const slugQuery = (type: string, slug: string, locale?: string) =>
  queryOptions({
    queryKey: ['slug', type, slug, locale],
    enabled: slug !== '',
    queryFn: ({ signal }) => {
      const own = locale === undefined ? {} : { 'filter[locale]': locale };
      const query = { 'filter[slug]': slug, ...own, per_page: 2, fields: 'id,title,locale' };
      return client.request('GET', `/api/cms/${type}`, { signal, query }).then(dataOf<readonly SlugHolder[]>);
    },
  });
