import { Writer } from '../../src/database/statements/writer.js';
import { TOKENS, type TestApp } from '../support/test-app.js';
import type { Conversation } from './conversation.js';
import { bodyOf, createRecord } from './records.walk.js';

const JSON_BODY = { 'Content-Type': 'application/json' };

/** Every answer that the routes give by which records of a type are published and withdrawn. */
export async function goThroughPublishing(talk: Conversation, service: TestApp, type: string): Promise<void> {
  const { id } = await createRecord(talk, type, bodyOf(type, 31));
  for (const step of ['publish', 'unpublish']) {
    const path = `POST /api/cms/${type}/${id}/${step}`;
    await talk.expectStatus(412, path, { headers: { 'If-Match': '"99"' } });
    await talk.expectStatus(403, path, { token: TOKENS.reader });
    await talk.expectStatus(400, `${path}?no_such=1`);
    await talk.expectStatus(404, `POST /api/cms/${type}/99999/${step}`);
    await talk.expectStatus(200, path);
    await refuseOrders(talk, path);
  }
  await goThroughUnfinished(talk, type);
  const headers = { 'Idempotency-Key': `publish-${id}` };
  for (const replayed of [undefined, 'true']) {
    const answer = await talk.expectStatus(200, `POST /api/cms/${type}/${id}/publish`, { headers });
    expect(answer.headers['idempotent-replayed']).toBe(replayed);
  }
  await goThroughWorkingCopies(talk, type);
  await goThroughDamagedCopies(talk, service, type);
  await goThroughDamage(talk, service, type);
}

/** The answers about a draft that lacks all that it may lack. */
async function goThroughUnfinished(talk: Conversation, type: string): Promise<void> {
  const { id } = await createRecord(talk, type, { title: 'Bare' });
  const path = `/api/cms/${type}/${id}`;
  const { body } = await talk.expectStatus(200, `GET ${path}`);
  await talk.expectStatus(200, `GET /api/cms/${type}?filter[id]=${id}`);
  await talk.expectStatus(201, `PATCH ${path}/draft`, { body: { title: 'Barer' }, headers: { 'If-Match': '*' } });
  await talk.expectStatus(200, `GET ${path}/draft`);
  await talk.expectStatus(200, `POST ${path}/draft/apply`);
  await talk.expectStatus(body.meta === undefined ? 200 : 422, `POST ${path}/publish`);
  await talk.expectStatus(200, `POST ${path}/unpublish`);
}

/** Every answer of the list of working copies. */
export async function goThroughDraftList(talk: Conversation): Promise<void> {
  const { id } = await createRecord(talk, 'post', bodyOf('post', 36));
  await talk.expectStatus(201, `PATCH /api/cms/post/${id}/draft`, {
    body: { title: 'Two' },
    headers: { 'If-Match': '*' },
  });
  const { body } = await talk.expectStatus(200, `GET /api/cms/-/drafts?type=post&ids=${id}&mine=true&per_page=1`);
  expect(body.data).toMatchObject([{ record: { id, title: 'Two' }, changed: ['title'] }]);
  await talk.expectStatus(400, 'GET /api/cms/-/drafts?no_such=1');
  await talk.expectStatus(403, 'GET /api/cms/-/drafts', { token: TOKENS.reader });
  await talk.expectStatus(404, 'GET /api/cms/-/drafts?type=nothing');
}

/** Every answer about many records. */
export async function goThroughBulk(talk: Conversation): Promise<void> {
  const { id } = await createRecord(talk, 'post', bodyOf('post', 37));
  const path = 'POST /api/cms/post/-/bulk';
  const body = { action: 'publish', items: [{ id }, { id: 99_999 }] };
  for (const replayed of [undefined, 'true']) {
    const answer = await talk.expectStatus(200, path, { body, headers: { 'Idempotency-Key': 'many' } });
    expect(answer.headers['idempotent-replayed']).toBe(replayed);
  }
  await talk.expectStatus(200, path, { body: { action: 'delete', items: [{ id, version: 2 }] } });
  await talk.expectStatus(403, path, { body, token: TOKENS.reader });
  await talk.expectStatus(400, `${path}?no_such=1`);
  await refuseOrders(talk, path);
}

/** Every answer of the routes of working copies. */
async function goThroughWorkingCopies(talk: Conversation, type: string): Promise<void> {
  const { id } = await createRecord(talk, type, { ...bodyOf(type, 33), slug: 'with-a-copy' });
  const { id: other } = await createRecord(talk, type, { ...bodyOf(type, 34), slug: 'of-another-one' });
  const path = `/api/cms/${type}/${id}/draft`;
  await talk.expectStatus(404, `GET ${path}`);
  await talk.expectStatus(403, `GET ${path}`, { token: TOKENS.reader });
  await talk.expectStatus(400, `GET ${path}?no_such=1`);
  for (const method of ['PATCH', 'PUT']) {
    const request = `${method} ${path}`;
    const headers = { 'If-Match': '*' };
    await talk.expectStatus(428, request, { body: { title: 'Two' } });
    await talk.expectStatus(412, request, { body: { title: 'Two' }, headers: { 'If-Match': '"99"' } });
    await talk.expectStatus(404, `${method} /api/cms/${type}/99999/draft`, { body: { title: 'Two' }, headers });
    await talk.expectStatus(403, request, { body: { title: 'Two' }, headers, token: TOKENS.reader });
    await refuseOrders(talk, request);
    await talk.expectStatus(201, request, { body: { title: 'Two', slug: 'of-another-one' }, headers });
    await talk.expectStatus(200, request, { body: { title: 'Three' }, headers });
    await talk.expectStatus(200, `GET ${path}`);
    await talk.expectStatus(412, `DELETE ${path}`, { headers: { 'If-Match': '"d1"' } });
    await talk.expectStatus(400, `DELETE ${path}?no_such=1`);
    await talk.expectStatus(403, `DELETE ${path}`, { token: TOKENS.reader });
    await talk.expectStatus(204, `DELETE ${path}`);
  }
  await talk.expectStatus(404, `DELETE ${path}`);
  await goThroughApplying(talk, type, { id, other });
}

async function goThroughApplying(
  talk: Conversation,
  type: string,
  { id, other }: { readonly id: number; readonly other: number },
): Promise<void> {
  const record = `/api/cms/${type}/${id}`;
  const path = `POST ${record}/draft/apply`;
  await talk.expectStatus(404, path);
  await talk.expectStatus(403, path, { token: TOKENS.reader });
  await talk.expectStatus(400, `${path}?no_such=1`);
  await talk.expectStatus(412, path, { headers: { 'If-Match': '"99"' } });
  await refuseOrders(talk, path);
  const save = (body: object) =>
    talk.expectStatus(201, `PATCH ${record}/draft`, { body, headers: { 'If-Match': '*' } });
  await save({ title: 'Mine' });
  await talk.expectStatus(200, `PUT ${record}`, { body: { title: 'Theirs' } });
  for (const step of ['draft/apply', 'publish']) await talk.expectStatus(409, `POST ${record}/${step}`);
  await talk.expectStatus(200, `GET ${record}/draft`);
  await talk.expectStatus(204, `DELETE ${record}/draft`);
  await save({ title: 'Two' });
  await talk.expectStatus(200, path, { body: {} });
  for (const one of [id, other]) await talk.expectStatus(204, `DELETE /api/cms/${type}/${one}?permanent=true`);
}

async function refuseOrders(talk: Conversation, path: string): Promise<void> {
  await talk.expectStatus(400, path, { body: '{', headers: JSON_BODY });
  await talk.expectStatus(413, path, { body: `"${'x'.repeat(4_200_000)}"`, headers: JSON_BODY });
  await talk.expectStatus(415, path, { body: 'to=draft', headers: { 'Content-Type': 'text/plain' } });
  await talk.expectStatus(422, path, { body: { no_such_field: 1 } });
}

/** A working copy that another program has written over. */
async function goThroughDamagedCopies(talk: Conversation, { app }: TestApp, type: string): Promise<void> {
  const { source } = app.get(Writer, { strict: false });
  const { id } = await createRecord(talk, type, bodyOf(type, 35));
  const path = `/api/cms/${type}/${id}/draft`;
  const change = { body: { title: 'Two' }, headers: { 'If-Match': '*' } };
  await talk.expectStatus(201, `PATCH ${path}`, change);
  await source.query("UPDATE record_drafts SET changes = '[]' WHERE record_id = ?", [id]);
  await talk.expectStatus(500, `GET ${path}`);
  for (const method of ['PATCH', 'PUT']) await talk.expectStatus(500, `${method} ${path}`, change);
  await talk.expectStatus(500, `POST ${path}/apply`, { headers: { 'If-Match': '*' } });
  await talk.expectStatus(204, `DELETE /api/cms/${type}/${id}?permanent=true`);
}

/** A damaged record is neither read nor changed, published, withdrawn nor restored. */
async function goThroughDamage(talk: Conversation, { app }: TestApp, type: string): Promise<void> {
  const { source } = app.get(Writer, { strict: false });
  const { id } = await createRecord(talk, type, bodyOf(type, 32));
  const path = `/api/cms/${type}/${id}`;
  await source.query("UPDATE record_contents SET terms = '[' WHERE record_id = ?", [id]);
  await talk.expectStatus(500, `GET ${path}`);
  for (const method of ['PATCH', 'PUT']) await talk.expectStatus(500, `${method} ${path}`, { body: { title: 'Two' } });
  for (const step of ['publish', 'unpublish']) await talk.expectStatus(500, `POST ${path}/${step}`);
  await talk.expectStatus(204, `DELETE ${path}`);
  await talk.expectStatus(500, `POST ${path}/restore`);
  await talk.expectStatus(204, `DELETE ${path}?permanent=true`);
}
