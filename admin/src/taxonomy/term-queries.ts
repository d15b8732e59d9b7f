import { CmsError } from '@content-service/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ListedTerm } from '../model.js';
import { dataOf } from '../queries.js';
import { client } from '../service.js';

/** A term with what its screen changes. */
export interface TaxonomyTerm extends ListedTerm {
  readonly description: string | null;
  readonly parent_id: number | null;
  readonly position: number;
  /** Records that have the term itself. */
  readonly count: number;
}

/** The terms of a taxonomy in the order of the tree. */
export interface Taxonomy {
  readonly terms: readonly TaxonomyTerm[];
  readonly isTree: boolean;
  /** The number of terms: more than those above, if there are very many. */
  readonly total: number;
}

/** Values of a term that can be written. */
export type TermValues = Partial<Pick<TaxonomyTerm, 'name' | 'slug' | 'description' | 'parent_id' | 'position'>>;

interface TermPage {
  readonly data: readonly TaxonomyTerm[];
  readonly meta: { readonly total: number; readonly last_page: number; readonly hierarchical: boolean };
}

/** Terms of one request, and of the whole screen. */
const PORTION = 1_000;
const MOST = 10_000;
/** Terms that a search of the service shows. */
const MOST_FOUND = 200;

const addressOf = (taxonomy: string, id: number): string => `/api/cms/taxonomy/${taxonomy}/${id}`;

export const taxonomyQuery = (name: string) =>
  queryOptions({ queryKey: ['taxonomy', name], queryFn: ({ signal }) => allOf(name, signal) });

async function allOf(name: string, signal: AbortSignal): Promise<Taxonomy> {
  const terms: TaxonomyTerm[] = [];
  for (let page = 1; ; page += 1) {
    const { data, meta } = await pageOf(name, { page, per_page: PORTION }, signal);
    terms.push(...data);
    if (page >= meta.last_page || terms.length >= MOST) return { terms, isTree: meta.hierarchical, total: meta.total };
  }
}

/** Terms whose names contain words, if there are too many to look through all of them here. */
export const foundQuery = (name: string, q: string, isNeeded: boolean) =>
  queryOptions({
    queryKey: ['taxonomy', name, 'found', q],
    enabled: isNeeded,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await pageOf(name, { contains: q, per_page: MOST_FOUND }, signal)).data,
  });

function pageOf(name: string, query: Readonly<Record<string, string | number>>, signal: AbortSignal) {
  return client.request('GET', `/api/cms/taxonomy/${name}`, { signal, query }) as Promise<TermPage>;
}

/** Makes a term. */
export function createTerm(taxonomy: string, values: TermValues): Promise<TaxonomyTerm> {
  return client
    .request('POST', '/api/cms/taxonomy', { body: { type: taxonomy, ...values } })
    .then(dataOf<TaxonomyTerm>);
}

/** Writes values of a term, if those that it has are still the ones that people have seen. */
export async function changeTerm(
  taxonomy: string,
  { id, ...seen }: Pick<TaxonomyTerm, 'id'> & TermValues,
  values: TermValues,
): Promise<TaxonomyTerm> {
  const present = await client.request('GET', addressOf(taxonomy, id)).then(dataOf<TaxonomyTerm>);
  const isSeen = Object.keys(values).every(
    (name) => present[name as keyof TermValues] === seen[name as keyof TermValues],
  );
  if (!isSeen) throw new CmsError({ status: 412, code: 'version_conflict', message: '' });
  return client.request('PATCH', addressOf(taxonomy, id), { body: values }).then(dataOf<TaxonomyTerm>);
}

/** Puts another term in the place of one. */
export async function mergeTerm(taxonomy: string, id: number, into: number): Promise<void> {
  await client.request('POST', `${addressOf(taxonomy, id)}/merge`, { body: { into } });
}

/** Deletes a term. @param isForced takes it away from the records that have it */
export async function deleteTerm(taxonomy: string, id: number, isForced: boolean): Promise<void> {
  await client.request('DELETE', addressOf(taxonomy, id), isForced ? { query: { force: true } } : {});
}
