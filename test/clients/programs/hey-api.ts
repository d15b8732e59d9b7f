import assert from 'node:assert/strict';
import { createClient } from './hey/client';
import {
  createEveryKind,
  createPerson,
  createErrorRecord,
  getEveryKind,
  listEveryKind,
  listRevisionsOfEveryKind,
  rollBackEveryKind,
  updateEveryKind,
} from './hey/sdk.gen';
import type { Error as Failure, EveryKind, ListEveryKindData, ListMeta } from './hey/types.gen';

const client = createClient({ baseUrl: process.env.SERVICE_URL ?? '', auth: process.env.SERVICE_TOKEN ?? '' });

function required<T>({ data, error }: { data?: T; error?: unknown }): T {
  assert.ok(data !== undefined, JSON.stringify(error));
  return data;
}

async function create(title: string, rating: number, keywords: string[] = []): Promise<EveryKind> {
  const body = { title, rating, keywords, code: `hey ${title}`, scores: [rating], size: 's' as const };
  return required(await createEveryKind({ client, body })).data;
}

async function lists(): Promise<void> {
  const titles = (page: { data: readonly { title: string }[] }): string[] => page.data.map(({ title }) => title);
  const list = async (query: NonNullable<ListEveryKindData['query']>) =>
    required(await listEveryKind({ client, query: { 'filter[code]': { starts: 'hey ' }, sort: ['title'], ...query } }));

  const page = await list({ status: ['draft', 'archived'], per_page: 2 });
  const meta: ListMeta = page.meta;
  assert.deepEqual([titles(page), meta.total, meta.last_page], [['A', 'B'], 3, 2]);
  assert.deepEqual(titles(await list({ 'filter[rating]': { eq: 5 } })), ['C']);
  assert.deepEqual(titles(await list({ 'filter[rating]': { gte: 3, lt: 5 } })), ['B']);
  assert.deepEqual(titles(await list({ 'filter[keywords]': { in: 'salt\\, pepper,mint' } })), ['A', 'B']);
  assert.deepEqual(titles(await list({ 'filter[keywords]': { exists: false } })), ['C']);
  assert.deepEqual(titles(await list({ sort: ['size', '-rating'] })), ['C', 'B', 'A']);
  const [part] = (await list({ fields: ['title', 'rating'], per_page: 1 })).data;
  assert.deepEqual(part, { title: 'A', rating: 1 });
}

async function changes(record: EveryKind): Promise<void> {
  const path = { id: String(record.id) };
  const changed = required(await updateEveryKind({ client, path, body: { title: 'Changed', summary: null } })).data;
  const size: 's' | 'm' | 'l' | null = changed.size;
  assert.deepEqual([changed.title, changed.version, size], ['Changed', record.version + 1, 's']);

  const first = required(await listRevisionsOfEveryKind({ client, path })).data.at(-1);
  assert.ok(first);
  const { data, meta } = required(await rollBackEveryKind({ client, path: { ...path, ts: String(first.ts) } }));
  const title: string = data.title;
  assert.deepEqual([title, meta.rollback.restored], [record.title, ['title']]);
}

async function failures(): Promise<void> {
  const missing = await getEveryKind({ client, path: { id: '99999' } });
  assert.equal(missing.error?.error, 'record_not_found');

  const { error } = await createPerson({ client, body: { title: 'Ann', email: 'no address' } });
  assert.ok(error?.error === 'validation_failed');
  const field: string | undefined = error.details?.[0]?.field;
  assert.equal(field, 'email');
}

/** Types that are called like parts of the service. */
async function homonyms(): Promise<void> {
  const { data: record } = required(await createErrorRecord({ client, body: { title: 'No failure' } }));
  const type: 'error' = record.type;
  const failure: Failure = { error: 'not_found', message: 'There is nothing.' };
  assert.deepEqual([type, failure.error], ['error', 'not_found']);
}

/** What a compiler has to find, before it fails at run time. Never called. */
export async function mistakes(): Promise<void> {
  // @ts-expect-error -- there is no such field
  await listEveryKind({ client, query: { 'filter[no_such]': { eq: 1 } } });
  // @ts-expect-error -- a number is not compared with a text
  await listEveryKind({ client, query: { 'filter[rating]': { gte: 'three' } } });
  // @ts-expect-error -- numbers contain no text
  await listEveryKind({ client, query: { 'filter[rating]': { contains: '3' } } });
  // @ts-expect-error -- no such status
  await listEveryKind({ client, query: { status: ['lost'] } });
  // @ts-expect-error -- a title is required
  await createEveryKind({ client, body: { rating: 3 } });
  // @ts-expect-error -- the service sets `id`
  await updateEveryKind({ client, path: { id: '1' }, body: { title: 'x', id: 2 } });
  // @ts-expect-error -- not one of the choices
  await updateEveryKind({ client, path: { id: '1' }, body: { size: 'xl' } });
  const page = required(await listEveryKind({ client }));
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
