import type { Response } from 'supertest';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { BulkService } from '../../src/publishing/bulk/bulk.service.js';
import { copyRequests } from '../support/copy-requests.js';
import { expectError } from '../support/errors.js';
import { Historian } from '../support/historian.js';
import { sendWithKey } from '../support/keyed-posts.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';
import { twinOf } from '../support/twin.js';

const BULK = '/api/cms/post/-/bulk';

describe('POST /api/cms/{type}/-/bulk', () => {
  let service: TestApp;
  let other: TestApp;
  let posts: Historian;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    other = await twinOf(service);
    posts = new Historian(service);
  });

  afterAll(async () => {
    await other.close();
    await service.close();
  });

  const { save, draftOf } = copyRequests(() => service);
  const order = (action: string, items: readonly object[], more: object = {}, token: string = TOKENS.admin) =>
    service
      .http(token)
      .post(BULK)
      .send({ action, items, ...more });
  const some = (...bodies: object[]): Promise<number[]> => Promise.all(bodies.map((body) => posts.create(body)));
  const itemsOf = (ids: readonly number[]) => ids.map((id) => ({ id }));
  const tagsOf = async (id: number): Promise<string[]> =>
    (await posts.get(id)).body.data.terms.tag.map(({ name }: { name: string }) => name);
  const tokenOf = async (...scopes: string[]): Promise<string> =>
    (await service.http().post('/api/admin/tokens').send({ name: scopes.join(), scopes }).expect(201)).body.data.token;
  const outcomes = ({ body }: Response) =>
    body.data.map((one: { ok: boolean; changed: boolean; error: string }) => (one.ok ? one.changed : one.error));

  it('publishes each record that can be, in the order of the items, and says what they were', async () => {
    const [draft = 0, live = 0, archived = 0] = await some(
      { title: 'A draft' },
      { title: 'Live', status: 'published' },
      { title: 'Archived', status: 'archived' },
    );

    const { status, body } = await order('publish', itemsOf([archived, 99_999, live, draft]));

    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        {
          ...{ id: archived, ok: true, changed: true },
          version: 2,
          status: 'published',
          was: { version: 1, status: 'archived' },
        },
        { id: 99_999, ok: false, error: 'record_not_found', message: expect.any(String) },
        {
          ...{ id: live, ok: true, changed: false },
          version: 1,
          status: 'published',
          was: { version: 1, status: 'published' },
        },
        {
          ...{ id: draft, ok: true, changed: true },
          version: 2,
          status: 'published',
          was: { version: 1, status: 'draft' },
        },
      ],
      meta: { changed: 2, unchanged: 1, failed: 1 },
    });
    expect((await posts.history(draft))[0]).toMatchObject({ action: 'publish', status: 'published' });
  });

  it.each([
    ['unpublish', 'published', 'draft'],
    ['archive', 'published', 'archived'],
    ['archive', 'draft', 'archived'],
  ])('%s makes of what was %s a record that is %s', async (action, before, after) => {
    const [id = 0] = await some({ title: 'One', status: before });

    const { body } = await order(action, [{ id }]);

    expect(body.data).toMatchObject([{ ok: true, changed: true, status: after, was: { status: before } }]);
    expect((await posts.get(id)).body.data.status).toBe(after);
  });

  it('gives records a status, and leaves their working copies alone', async () => {
    const [id = 0, archived = 0] = await some({ title: 'One' }, { title: 'Two', status: 'archived' });
    await save(`post/${id}`, { title: 'Not public' });

    expect(outcomes(await order('status', itemsOf([id]), { status: 'published' }))).toEqual([true]);
    expect(outcomes(await order('status', itemsOf([archived]), { status: 'draft' }))).toEqual([true]);

    expect((await posts.get(id)).body.data).toMatchObject({ title: 'One', status: 'published' });
    expect((await draftOf(`post/${id}`)).changed).toEqual(['title']);
    expect((await posts.get(archived)).body.data.status).toBe('draft');
  });

  it('moves to the trash, restores and removes for good', async () => {
    const ids = await some({ title: 'One' }, { title: 'Two' });

    const trashed = await order('trash', itemsOf(ids));
    expect(outcomes(trashed)).toEqual([true, true]);
    expect(trashed.body.data).toMatchObject([{ version: 2 }, { version: 2 }]);
    expect(outcomes(await order('trash', itemsOf(ids)))).toEqual(['record_not_found', 'record_not_found']);
    const restored = await order('restore', itemsOf(ids));
    expect(outcomes(restored)).toEqual([true, true]);
    expect(restored.body.data[0]).toMatchObject({ status: 'draft', skipped: [] });
    expect((await posts.get(ids[0] ?? 0)).body.data.version).toBe(restored.body.data[0].version);
    expect(outcomes(await order('restore', itemsOf(ids)))).toEqual([false, false]);
    const removed = await order('delete', itemsOf(ids));
    expect(removed.body.data).toMatchObject([{ changed: true, version: null, status: null }, { changed: true }]);
    expect(outcomes(await order('restore', itemsOf(ids)))).toEqual(['record_not_found', 'record_not_found']);
  });

  it('folds working copies in, and discards them', async () => {
    const [folded = 0, discarded = 0, without = 0] = await some({ title: 'One' }, { title: 'Two' }, { title: 'Three' });
    for (const id of [folded, discarded]) await save(`post/${id}`, { title: 'Written' });

    expect(outcomes(await order('apply', itemsOf([folded, without])))).toEqual([true, 'draft_not_found']);
    expect(outcomes(await order('discard', itemsOf([discarded, without])))).toEqual([true, 'draft_not_found']);

    expect((await posts.get(folded)).body.data).toMatchObject({ title: 'Written', version: 2 });
    expect((await posts.get(discarded)).body.data).toMatchObject({ title: 'Two', version: 1 });
    expect(await draftOf(`post/${discarded}`)).toBeNull();
  });

  it('adds terms to those that there are and takes terms away, by id, slug or name', async () => {
    const [first = 0, second = 0] = await some({ title: 'One', terms: { tag: ['Red', 'Green'] } }, { title: 'Two' });
    const ids = itemsOf([first, second]);
    const { body } = await service.http().get('/api/cms/taxonomy/tag?q=green').expect(200);
    const green = body.data[0].id as number;

    expect(outcomes(await order('add_terms', ids, { terms: { tag: ['Light blue', green] } }))).toEqual([true, true]);
    expect([await tagsOf(first), await tagsOf(second)]).toEqual([
      expect.arrayContaining(['Red', 'Green', 'Light blue']),
      expect.arrayContaining(['Green', 'Light blue']),
    ]);
    expect(outcomes(await order('add_terms', ids, { terms: { tag: ['red'] } }))).toEqual([false, true]);

    const taken = await order('remove_terms', ids, { terms: { tag: ['Light blue', green, 'not-there'] } });
    expect(outcomes(taken)).toEqual([true, true]);
    expect([await tagsOf(first), await tagsOf(second)]).toEqual([['Red'], ['Red']]);
  });

  it('leaves a record alone that has another version than the client has read', async () => {
    const [id = 0] = await some({ title: 'One' });
    await posts.update(id, { title: 'Two' });

    const { body } = await order('publish', [{ id, version: 1 }]);

    expect(body.data).toMatchObject([{ id, ok: false, error: 'version_conflict', details: [{ version: 2 }] }]);
    await save(`post/${id}`, { title: 'Three' });
    expect(outcomes(await order('discard', [{ id, version: 1 }]))).toEqual(['version_conflict']);
    expect(outcomes(await order('publish', [{ id, version: 2 }]))).toEqual([true]);
  });

  it('carries every order out among writes of others', async () => {
    const [id = 0] = await some({ title: 'Busy' });

    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => order('add_terms', [{ id }], { terms: { tag: [`Busy ${n}`] } })),
    );

    expect(answers.flatMap(outcomes)).toEqual(Array(6).fill(true));
    expect(await tagsOf(id)).toHaveLength(6);
  });

  it('does with each record what its caller may do with that record', async () => {
    const [draft = 0, live = 0] = await some({ title: 'A draft' }, { title: 'Live', status: 'published' });
    const writer = await tokenOf('records:read', 'drafts:read', 'records:update');
    const terms = { tag: ['May'] };

    expect(outcomes(await order('add_terms', itemsOf([draft, live]), { terms }, writer))).toEqual([
      true,
      'insufficient_scope',
    ]);
    for (const action of ['publish', 'archive', 'trash', 'restore', 'delete']) {
      expectError(await order(action, itemsOf([draft]), {}, writer), 'insufficient_scope');
    }
    expectError(await order('publish', itemsOf([draft]), {}, TOKENS.reader), 'insufficient_scope');
    const publisher = await tokenOf('records:publish', 'records:read');
    expect(outcomes(await order('publish', itemsOf([draft]), {}, publisher))).toEqual(['record_not_found']);
  });

  it.each([
    ['no action', { items: [{ id: 1 }] }],
    ['an action that there is not', { action: 'burn', items: [{ id: 1 }] }],
    ['no records', { action: 'publish', items: [] }],
    ['too many records', { action: 'publish', items: itemsOf(Array.from({ length: 101 }, (_, n) => n + 1)) }],
    ['a record twice', { action: 'publish', items: [{ id: 1 }, { id: 1 }] }],
    ['an id that is none', { action: 'publish', items: [{ id: 'one' }] }],
    ['terms where there are none to add', { action: 'publish', items: [{ id: 1 }], terms: { tag: ['a'] } }],
    ['no status to give', { action: 'status', items: [{ id: 1 }] }],
    ['no terms to add', { action: 'add_terms', items: [{ id: 1 }] }],
    ['a taxonomy that the type has not', { action: 'add_terms', items: [{ id: 1 }], terms: { nothing: ['a'] } }],
    ['something else', { action: 'publish', items: [{ id: 1 }], force: true }],
  ])('refuses %s as a whole', async (_, body) => {
    expectError(await service.http().post(BULK).send(body), 'validation_failed');
  });

  it('refuses what a record lacks that is to be public, and goes on', async () => {
    const fields = [{ name: 'summary', type: 'string', required: true }];
    await service.http().post('/api/admin/types').send({ name: 'essay', fields }).expect(201);
    const essays = new Historian(service, 'essay');
    const ids = [await essays.create({ title: 'Unfinished' }), await essays.create({ title: 'Whole', summary: 'All' })];

    const { body } = await service
      .http()
      .post('/api/cms/essay/-/bulk')
      .send({ action: 'publish', items: itemsOf(ids) });

    expect(body.data).toMatchObject([
      { ok: false, error: 'validation_failed', details: [{ field: 'summary', rule: 'required' }] },
      { ok: true, status: 'published' },
    ]);
  });

  it('with an Idempotency-Key is carried out once, also by twins at two instances', async () => {
    const ids = await some({ title: 'One' }, { title: 'Two' });
    const body = { action: 'trash', items: itemsOf(ids) };
    const send = (instance: TestApp, sent: object = body) => sendWithKey(instance, 'bulk', BULK, sent);

    const answers = await Promise.all([send(service), send(other), send(service), send(other)]);
    const again = await send(service);

    const carriedOut = answers.filter(({ status }) => status === 200);
    expect(new Set(carriedOut.map(({ text }) => text))).toEqual(new Set([again.text]));
    expect(outcomes(again)).toEqual([true, true]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    // A twin elsewhere is told to come back.
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(carriedOut.length === 4 ? [200] : [200, 503]));
    expectError(await send(service, { ...body, action: 'restore' }), 'idempotency_key_reused');
  });

  it('says what may be done already, if the request was broken off before', async () => {
    const ids = await some({ title: 'One' }, { title: 'Two' });
    const body = { action: 'publish', items: ids.map((id) => ({ id, version: 1 })) };
    const send = () => sendWithKey(service, 'broken-off', BULK, body);
    await send();
    // As it is when a process ends in the middle: no answer, and a while ago.
    await service.app
      .get(UnitOfWork, { strict: false })
      .run((manager) =>
        manager.query('UPDATE idempotency_keys SET answer = NULL, expires_at = expires_at - 120000 WHERE ref = 0'),
      );

    const again = await send();

    expect(outcomes(again)).toEqual(['version_conflict', 'version_conflict']);
    expect(again.body.data[0].message).toMatch(/broken off before/);
    expect(outcomes(await order('publish', [{ id: ids[0], version: 1 }]))).toEqual(['version_conflict']);
  });

  it('says of the rest that it was not carried out when the service stops', async () => {
    const ids = await some({ title: 'One' }, { title: 'Two' });
    const stopping = await twinOf(service);
    stopping.app.get(BulkService, { strict: false }).onModuleDestroy();

    const answer = await stopping
      .http()
      .post(BULK)
      .send({ action: 'trash', items: itemsOf(ids) });

    expect(outcomes(answer)).toEqual(['overloaded', 'overloaded']);
    expect(outcomes(await order('trash', itemsOf(ids)))).toEqual([true, true]);
    await stopping.close();
  });
});
