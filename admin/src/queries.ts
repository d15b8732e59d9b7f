import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { MOST_SELECTED } from './list/bulk/bulk-orders.js';
import { termOf, type ListSearch } from './list/list-search.js';
import { may, type ContentRecord, type ContentType, type Me } from './model.js';
import { client } from './service.js';

/** Ways to sign in that the service offers. */
export interface SignInMethods {
  readonly password: boolean;
  readonly otp: boolean;
  readonly magic_link: boolean;
  readonly mail: boolean;
  readonly providers: readonly { readonly name: string; readonly label: string }[];
}

/** One page of a list. */
export interface RecordList {
  readonly data: readonly ContentRecord[];
  readonly meta: { readonly total: number; readonly last_page: number };
}

/** Rows of a page. */
export const PAGE_SIZE = 15;
const COLUMNS = 'id,title,slug,status,terms,version,updated_at,updated_by';

export const methodsQuery = queryOptions({
  queryKey: ['methods'],
  queryFn: ({ signal }) => client.open('GET', '/api/auth/methods', { signal }) as Promise<SignInMethods>,
  staleTime: Infinity,
});

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => client.request('GET', '/api/auth/me', { signal }).then(dataOf<Me>),
  staleTime: Infinity,
});

/** Tells whether the person may do a thing with records of a type; nothing, until it is known. */
export function useMay(type: string): (scope: string) => boolean {
  const { data: me } = useQuery(meQuery);
  return (scope) => me !== undefined && may(me, scope, type);
}

export const typesQuery = queryOptions({
  queryKey: ['types'],
  queryFn: ({ signal }) => client.request('GET', '/api/cms/types', { signal }).then(dataOf<readonly ContentType[]>),
});

/** A page of the records of a type. Words are looked for by the search of the service, which puts the best hits first. */
export const listQuery = (type: string, search: ListSearch) =>
  queryOptions({
    queryKey: ['list', type, search],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => listOf(type, search, { page: search.page, perPage: PAGE_SIZE, fields: COLUMNS, signal }),
  });

interface ListPart {
  readonly page: number;
  readonly perPage: number;
  readonly fields: string;
  readonly signal?: AbortSignal;
}

function listOf(
  type: string,
  { q, status, term, sort }: ListSearch,
  { page, perPage, fields, signal }: ListPart,
): Promise<RecordList> {
  const common = { page, per_page: perPage, ...(status !== 'trash' && { status }) };
  const abort = signal && { signal };
  const filed = termOf(term);
  const filter = filed && { [`filter[${filed.taxonomy}]`]: filed.id };
  const path = `/api/cms/${type}${status === 'trash' ? '/-/trash' : ''}`;
  const answer =
    q === ''
      ? client.request('GET', path, { ...abort, query: { ...common, ...filter, sort, fields } })
      : client.request('GET', '/api/cms/search', { ...abort, query: { ...common, q, type } });
  return answer as Promise<RecordList>;
}

/** Rows that are asked for at once to know their ids. */
const MOST_ROWS = 100;

/** Titles of the first records of a list by their ids, as many as can be selected. */
export async function firstOf(type: string, search: ListSearch): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  for (let page = 1; found.size < MOST_SELECTED; page += 1) {
    const { data, meta } = await listOf(type, search, { page, perPage: MOST_ROWS, fields: 'id,title' });
    for (const { id, title } of data) if (found.size < MOST_SELECTED) found.set(id, title);
    if (page >= meta.last_page) break;
  }
  return found;
}

/** The title of a record that another one refers to. */
export const referenceQuery = (type: string, id: number) =>
  queryOptions({
    queryKey: ['reference', type, id],
    queryFn: ({ signal }) =>
      client
        .request('GET', `/api/cms/${type}/${id}`, { signal, query: { fields: 'title' } })
        .then(dataOf<Pick<ContentRecord, 'title'>>),
  });

/** Ids of records that have changes which are not public yet, for those who may see them. */
export const editedQuery = (type: string, ids: readonly number[], seesDrafts: boolean) =>
  queryOptions({
    queryKey: ['edited', type, ids],
    enabled: seesDrafts && ids.length > 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => copiesOf(type, ids, signal),
  });

/** Records with a working copy, of some records. */
export async function copiesOf(
  type: string,
  ids: readonly number[],
  signal?: AbortSignal,
): Promise<ReadonlySet<number>> {
  const call = { query: { type, ids, per_page: ids.length }, ...(signal && { signal }) };
  const copies = await client.request('GET', '/api/cms/-/drafts', call).then(dataOf<readonly Copy[]>);
  return new Set(copies.map(({ record }) => record.id));
}

interface Copy {
  readonly record: { readonly id: number };
}

/** The content of the envelope of an answer, by the contract of its route. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller names the contract
export function dataOf<Data>(answer: unknown): Data {
  return (answer as { readonly data: Data }).data;
}
