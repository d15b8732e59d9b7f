import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { components, paths } from './schema';

const api = createClient<paths>({
  baseUrl: process.env.SERVICE_URL ?? '',
  headers: { Authorization: `Bearer ${process.env.SERVICE_TOKEN ?? ''}` },
});

type Everything = components['schemas']['EveryKind'];

function required<T>({ data, error }: { data?: T; error?: unknown }): T {
  assert.ok(data !== undefined, JSON.stringify(error));
  return data;
}

async function create(title: string, rating: number, keywords: string[] = []): Promise<Everything> {
  const body = { title, rating, keywords, code: `fetch ${title}`, scores: [rating], size: 's' as const };
  return required(await api.POST('/api/cms/every-kind', { body })).data;
}

async function lists(): Promise<void> {
  const titles = (page: { data: readonly { title: string }[] }): string[] => page.data.map(({ title }) => title);
  const mine = { 'filter[code]': { starts: 'fetch ' }, sort: ['title' as const] };
  const list = async (query: NonNullable<paths['/api/cms/every-kind']['get']['parameters']['query']>) =>
    required(await api.GET('/api/cms/every-kind', { params: { query: { ...mine, ...query } } }));

  const page = await list({ status: ['draft', 'archived'], per_page: 2 });
  assert.deepEqual([titles(page), page.meta.total, page.meta.last_page], [['A', 'B'], 3, 2]);
  assert.deepEqual(titles(await list({ 'filter[rating]': { eq: 5 } })), ['C']);
  assert.deepEqual(titles(await list({ 'filter[rating]': { gte: 3, lt: 5 } })), ['B']);
  assert.deepEqual(titles(await list({ 'filter[keywords]': { in: 'salt\\, pepper,mint' } })), ['A', 'B']);
  assert.deepEqual(titles(await list({ 'filter[keywords]': { exists: false } })), ['C']);
  assert.deepEqual(titles(await list({ 'filter[tag]': { under: 'herbs' } })), []);
  assert.deepEqual(titles(await list({ sort: ['size', '-rating'] })), ['C', 'B', 'A']);
  const [part] = (await list({ fields: ['title', 'rating'], per_page: 1 })).data;
  assert.deepEqual(part, { title: 'A', rating: 1 });
}

async function changes(record: Everything): Promise<void> {
  const path = { id: String(record.id) };
  const changed = required(
    await api.PUT('/api/cms/every-kind/{id}', { params: { path }, body: { title: 'Changed', summary: null } }),
  ).data;
  const size: 's' | 'm' | 'l' | null = changed.size;
  assert.deepEqual([changed.title, changed.version, size], ['Changed', record.version + 1, 's']);

  const revisions = required(await api.GET('/api/cms/every-kind/{id}/revisions', { params: { path } })).data;
  const first = revisions.at(-1);
  assert.ok(first);
  const { data, meta } = required(
    await api.POST('/api/cms/every-kind/{id}/rollback/{ts}', { params: { path: { ...path, ts: String(first.ts) } } }),
  );
  const title: string = data.title;
  assert.deepEqual([title, meta.rollback.restored], [record.title, ['title']]);
}

async function failures(): Promise<void> {
  const missing = await api.GET('/api/cms/every-kind/{id}', { params: { path: { id: '99999' } } });
  assert.equal(missing.error?.error, 'record_not_found');

  const { error } = await api.POST('/api/cms/person', { body: { title: 'Ann', email: 'no address' } });
  assert.ok(error?.error === 'validation_failed');
  const field: string | undefined = error.details?.[0]?.field;
  assert.equal(field, 'email');
}

/** Types that are called like parts of the service. */
async function homonyms(): Promise<void> {
  const { data: record } = required(await api.POST('/api/cms/error', { body: { title: 'No failure' } }));
  const type: 'error' = record.type;
  const fault: components['schemas']['FaultRecord']['type'] = 'fault';
  const failure: components['schemas']['Error'] = { error: 'not_found', message: 'There is nothing.' };
  const meta: components['schemas']['ListMeta'] = { per_page: 1, current_page: 1 };
  assert.deepEqual([type, fault, failure.error, meta.per_page], ['error', 'fault', 'not_found', 1]);
}

/** What a compiler has to find, before it fails at run time. Never called. */
export async function mistakes(): Promise<void> {
  // @ts-expect-error -- there is no such field
  await api.GET('/api/cms/every-kind', { params: { query: { 'filter[no_such]': { eq: 1 } } } });
  // @ts-expect-error -- a field that is not indexed
  await api.GET('/api/cms/every-kind', { params: { query: { 'filter[summary]': { eq: 'x' } } } });
  // @ts-expect-error -- a number is not compared with a text
  await api.GET('/api/cms/every-kind', { params: { query: { 'filter[rating]': { gte: 'three' } } } });
  // @ts-expect-error -- numbers contain no text
  await api.GET('/api/cms/every-kind', { params: { query: { 'filter[rating]': { contains: '3' } } } });
  // @ts-expect-error -- no such status
  await api.GET('/api/cms/every-kind', { params: { query: { status: ['lost'] } } });
  // @ts-expect-error -- lists cannot be sorted by that
  await api.GET('/api/cms/every-kind', { params: { query: { sort: ['notes'] } } });
  // @ts-expect-error -- a title is required
  await api.POST('/api/cms/every-kind', { body: { rating: 3 } });
  // @ts-expect-error -- not one of the choices
  await api.PUT('/api/cms/every-kind/{id}', { params: { path: { id: '1' } }, body: { size: 'xl' } });
  const page = required(await api.GET('/api/cms/every-kind'));
  // @ts-expect-error -- a record has no such key
  page.data[0]?.no_such;
  // @ts-expect-error -- a title is a text
  const title: number | undefined = page.data[0]?.title;
  assert.ok(title);
}

async function main(): Promise<void> {
  await create('C', 5);
  await create('B', 3, ['mint']);
  const record = await create('A', 1, ['salt, pepper']);
  await lists();
  await changes(record);
  await failures();
  await homonyms();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
