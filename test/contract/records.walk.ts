import { TOKENS } from '../support/test-app.js';
import type { Conversation } from './conversation.js';

/** May write and see drafts, but not read. */
export const WRITER = 'test-writer-token-0123456789';

export async function createRecord(talk: Conversation, type: string, body: object): Promise<{ id: number }> {
  const answer = await talk.expectStatus(201, `POST /api/cms/${type}`, { body });
  return answer.body.data;
}

/** Every answer that the routes of one type can give. */
export async function goThroughRecords(talk: Conversation, type: string): Promise<void> {
  const path = `/api/cms/${type}`;
  const { id } = await createRecord(talk, type, { ...bodyOf(type, 1), slug: 'one' });
  const target = `${path}/${id}`;
  await talk.expectStatus(409, `POST ${path}`, { body: { ...bodyOf(type, 2), slug: 'one' } });
  const other = await createRecord(talk, type, { ...bodyOf(type, 3), status: 'published' });
  await talk.expectStatus(422, `POST ${path}`, { body: { no_such_field: 1 } });
  await refuseBodies(talk, `POST ${path}`);
  await goThroughKeys(talk, path, bodyOf(type, 4));

  await talk.expectStatus(200, `GET ${path}`);
  await talk.expectStatus(400, `GET ${path}?per_page=0`);
  await talk.expectStatus(400, `GET ${path}?cursor=none`);
  await talk.unchanged(`GET ${path}`);
  await talk.expectStatus(200, `GET ${target}`);
  await talk.expectStatus(200, `GET ${path}/slug:one?fields=id,title`);
  await talk.expectStatus(400, `GET ${target}?no_such=1`);
  await talk.expectStatus(404, `GET ${path}/99999`);
  await talk.unchanged(`GET ${path}/${other.id}`);
  await talk.expectStatus(403, `GET ${path}`, { token: WRITER });
  await talk.expectStatus(403, `GET ${target}`, { token: WRITER });

  for (const method of ['PUT', 'PATCH']) {
    await talk.expectStatus(200, `${method} ${target}`, { body: { title: `By ${method}` } });
    await talk.expectStatus(412, `${method} ${target}`, { body: { title: 'Late' }, headers: { 'If-Match': '"99"' } });
    await talk.expectStatus(409, `${method} ${path}/${other.id}`, { body: { slug: 'one' } });
    await talk.expectStatus(422, `${method} ${target}`, { body: { title: '' } });
    await talk.expectStatus(404, `${method} ${path}/99999`, { body: { title: 'Nobody' } });
    await refuseBodies(talk, `${method} ${target}`);
  }

  await talk.expectStatus(403, `DELETE ${target}`, { token: TOKENS.reader });
  await talk.expectStatus(400, `DELETE ${target}?permanent=maybe`);
  await talk.expectStatus(412, `DELETE ${target}`, { headers: { 'If-Match': '"99"' } });
  await talk.expectStatus(204, `DELETE ${target}`);
  await talk.expectStatus(404, `DELETE ${target}`);
  await goThroughTrash(talk, path, id);
}

/** Creates with a key: repeated, malformed, of another request, and of a record that is gone. */
async function goThroughKeys(talk: Conversation, path: string, body: object): Promise<void> {
  const headers = { 'Idempotency-Key': path };
  const first = await talk.expectStatus(201, `POST ${path}`, { body, headers });
  const again = await talk.expectStatus(201, `POST ${path}`, { body, headers });
  expect([again.headers['idempotent-replayed'], again.body]).toEqual(['true', first.body]);
  await talk.expectStatus(400, `POST ${path}`, { body, headers: { 'Idempotency-Key': 'a b' } });
  await talk.expectStatus(422, `POST ${path}`, { body: { ...body, title: 'Another' }, headers });
  await talk.expectStatus(204, `DELETE ${path}/${first.body.data.id}?permanent=true`);
  await talk.expectStatus(404, `POST ${path}`, { body, headers });
}

async function goThroughTrash(talk: Conversation, path: string, id: number): Promise<void> {
  const list = await talk.expectStatus(200, `GET ${path}/-/trash`);
  expect(list.body.data).toHaveLength(1);
  await talk.unchanged(`GET ${path}/-/trash`);
  await talk.expectStatus(400, `GET ${path}/-/trash?sort=nothing`);
  await talk.expectStatus(403, `GET ${path}/-/trash`, { token: TOKENS.reader });
  await talk.expectStatus(403, `POST ${path}/${id}/restore`, { token: TOKENS.reader });
  await talk.expectStatus(412, `POST ${path}/${id}/restore`, { headers: { 'If-Match': '"99"' } });
  await talk.expectStatus(200, `POST ${path}/${id}/restore`);
  await talk.expectStatus(404, `POST ${path}/99999/restore`);
  await talk.expectStatus(400, `POST ${path}/${id}/restore?no_such=1`);
}

/** What is wrong with a body before anybody asks what it is for. */
async function refuseBodies(talk: Conversation, request: string): Promise<void> {
  const json = { 'Content-Type': 'application/json' };
  await talk.expectStatus(400, request, { body: '{', headers: json });
  await talk.expectStatus(413, request, { body: `"${'x'.repeat(4_200_000)}"`, headers: json });
  await talk.expectStatus(415, request, { body: 'title=x', headers: { 'Content-Type': 'text/plain' } });
  await talk.expectStatus(403, request, { token: TOKENS.reader, body: { title: 'Not mine' } });
}

/** A body that creates a record of a type. */
export function bodyOf(type: string, n: number): object {
  if (type === 'every-kind') return everyKind(n);
  return { title: `Record ${n}`, body: '# Text', ...(type === 'person' ? { email: `person-${n}@example.org` } : {}) };
}

/** A body for the type that has a field of each kind. */
export function everyKind(n: number): Record<string, unknown> {
  return {
    title: `Record ${n}`,
    body: null,
    code: `C-${n}`,
    isbn: '978-0-X',
    summary: 'In short',
    notes: '*Notes*',
    embed: '<b>bold</b>',
    rating: 5,
    price: 1.5,
    featured: true,
    day: '2026-03-14',
    starts_at: '2026-03-14T09:26:53.589Z',
    contact: 'ana@example.org',
    homepage: 'https://www.příklad.example/žluť?q=ů#ů',
    size: 'l',
    extra: { any: ['thing', null, 1] },
    keywords: ['a', 'b'],
    scores: [1, 2],
  };
}
