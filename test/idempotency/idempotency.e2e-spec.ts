import type { Response } from 'supertest';
import { Writer } from '../../src/database/statements/writer.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { WrittenRecords } from '../../src/records/written-records.js';
import { copyRequests } from '../support/copy-requests.js';
import { expectError } from '../support/errors.js';
import { loseAnswer, rowsOf, sendWithKey, titled } from '../support/keyed-posts.js';
import { aPerson, signedIn } from '../support/sign-in.js';
import { statementsDuring } from '../support/statements.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';
import { twinOf } from '../support/twin.js';

const TWINS = 50;
const POSTS = '/api/cms/post';

describe('A POST with an Idempotency-Key', () => {
  let service: TestApp;
  let other: TestApp;
  let last = 0;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    other = await twinOf(service);
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await other.close();
    await service.close();
  });

  const { save } = copyRequests(() => service);
  const newKey = (): string => `key-${(last += 1)}`;
  const create = (key: string, body: object, token: string = TOKENS.admin) =>
    sendWithKey(service, key, POSTS, body, token);
  const aPost = async (body: object): Promise<string> =>
    `${POSTS}/${(await service.http().post(POSTS).send(body).expect(201)).body.data.id}`;
  const atOnce = (send: (instance: TestApp, n: number) => PromiseLike<Response>): Promise<Response[]> =>
    Promise.all(Array.from({ length: TWINS }, (_, n) => send(n % 2 === 0 ? service : other, n)));
  const replays = (answers: readonly Response[]): number =>
    answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length;
  const tokenOf = async (...scopes: string[]): Promise<string> =>
    (await service.http().post('/api/admin/tokens').send({ name: scopes.join(), scopes }).expect(201)).body.data.token;

  describe('that is sent again', () => {
    it('is carried out once, and has the answer of the first time', async () => {
      const key = newKey();
      const first = await create(key, { title: 'Once' });
      await service.http().put(`${POSTS}/${first.body.data.id}`).send({ title: 'Once more' }).expect(200);

      const again = await create(key, { title: 'Once' });

      expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined]);
      expect([again.status, again.text]).toEqual([201, first.text]);
      expect(again.headers).toMatchObject({
        'idempotent-replayed': 'true',
        etag: first.headers.etag,
        location: first.headers.location,
        'content-type': first.headers['content-type'],
      });
    });

    it('is the same one in quotation marks, and with its keys in another order', async () => {
      const key = newKey();
      await create(key, { title: 'Quoted', status: 'draft' });

      const again = await create(`"${key}"`, { status: 'draft', title: 'Quoted' });

      expect(again.headers['idempotent-replayed']).toBe('true');
    });

    it('publishes once: a withdrawal in between stays', async () => {
      const path = await aPost({ title: 'On' });
      const key = newKey();
      const first = await sendWithKey(service, key, `${path}/publish`);
      await service.http().post(`${path}/unpublish`).expect(200);

      const again = await sendWithKey(service, key, `${path}/publish`);

      expect([first.body.data.status, again.status, again.text]).toEqual(['published', 200, first.text]);
      expect([again.headers.etag, again.headers['idempotent-replayed']]).toEqual([first.headers.etag, 'true']);
      expect((await service.http().get(path)).body.data.status).toBe('draft');
    });

    it('remembers a publication that had nothing to change', async () => {
      const path = await aPost({ title: 'On already', status: 'published' });
      const key = newKey();
      await sendWithKey(service, key, `${path}/publish`);
      await service.http().post(`${path}/unpublish`).expect(200);

      expect((await sendWithKey(service, key, `${path}/publish`)).headers['idempotent-replayed']).toBe('true');
      expect((await service.http().get(path)).body.data.status).toBe('draft');
    });

    it('folds a working copy in once, whatever If-Match says by then', async () => {
      const path = await aPost({ title: 'Before' });
      await save(path.slice('/api/cms/'.length), { title: 'After' });
      const key = newKey();
      const apply = () =>
        service.http().post(`${path}/draft/apply`).set({ 'Idempotency-Key': key, 'If-Match': '"1"' }).send({});
      const first = await apply();

      const again = await apply();

      expect([first.status, first.body.data.title]).toEqual([200, 'After']);
      expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, first.text, 'true']);
    });

    it('is not found where the record is gone, and makes no other one', async () => {
      const key = newKey();
      const { body } = await create(key, { title: 'Gone' });
      await service.http().delete(`${POSTS}/${body.data.id}`).expect(204);

      expectError(await create(key, { title: 'Gone' }), 'record_not_found');
      expect(await titled(service, 'Gone')).toBe(0);
    });

    it('is refused with the key of another request, and leaves that one known', async () => {
      const key = newKey();
      await create(key, { title: 'First' });

      expectError(await create(key, { title: 'Second' }), 'idempotency_key_reused');
      expectError(await create(key, { title: '' }), 'idempotency_key_reused');
      expectError(await sendWithKey(service, key, '/api/cms/page', { title: 'First' }), 'idempotency_key_reused');
      expect((await create(key, { title: 'First' })).status).toBe(201);
    });

    it('is carried out where it was refused before, with whatever body', async () => {
      const key = newKey();
      await aPost({ title: 'In the way', slug: 'in-the-way' });

      expectError(await create(key, { title: '' }), 'validation_failed');
      expectError(await create(key, { title: 'Mended', slug: 'in-the-way' }), 'slug_taken');

      expect(await rowsOf(service, key)).toEqual([]);
      expect((await create(key, { title: 'Mended' })).headers['idempotent-replayed']).toBeUndefined();
    });
  });

  describe('and its caller', () => {
    it('is another request than that of another caller with the same key', async () => {
      const key = newKey();
      const [first, second] = [
        await create(key, { title: 'Of two' }),
        await create(key, { title: 'Of two' }, TOKENS.editor),
      ];

      expect(replays([first, second])).toBe(0);
      expect(await titled(service, 'Of two')).toBe(2);
    });

    it('is the same request in all sessions of a user', async () => {
      const person = await aPerson(service, { role: 'editor' });
      const send = async () => create('sessions', { title: 'Hello' }, (await signedIn(service, person)).token);

      const [first, again] = [await send(), await send()];

      expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    });

    it('is forbidden where the right to send it was lost', async () => {
      const person = await aPerson(service, { role: 'editor' });
      const send = async (body: object) => create('demoted', body, (await signedIn(service, person)).token);
      const body = { title: 'Hello', status: 'published' };
      expect((await send(body)).status).toBe(201);

      for (const role of ['author', 'viewer']) {
        await service.http().patch(`/api/users/${person.id}`).send({ role }).expect(200);
        expectError(await send(body), 'insufficient_scope');
      }
    });

    it('is forbidden where it changed what is public, and the right to publish was lost', async () => {
      const person = await aPerson(service, { role: 'editor' });
      const send = async (path: string, body: object = {}) =>
        sendWithKey(service, path, path, body, (await signedIn(service, person)).token);
      const own = await send(POSTS, { title: 'Own', status: 'published' });
      const path = `${POSTS}/${own.body.data.id}`;
      await save(path.slice('/api/cms/'.length), { title: 'After' });
      expect((await send(`${path}/draft/apply`)).status).toBe(200);

      await service.http().patch(`/api/users/${person.id}`).send({ role: 'author' }).expect(200);

      expectError(await send(`${path}/draft/apply`), 'insufficient_scope');
    });

    it('needs no right to read, as long as nobody else has changed the record', async () => {
      const token = await tokenOf('records:create');
      const key = newKey();
      const first = await create(key, { title: 'Unread' }, token);
      await loseAnswer(service, key);

      expect((await create(key, { title: 'Unread' }, token)).text).toBe(first.text);
      await service.http().put(`${POSTS}/${first.body.data.id}`).send({ title: 'Secret by now' }).expect(200);
      expectError(await create(key, { title: 'Unread' }, token), 'record_not_found');
    });

    it.each(['', '""', 'a b', 'k\u00e9y', 'x'.repeat(256)])('is malformed with the key %j', async (key) => {
      expectError(await create(key, { title: 'Malformed' }), 'malformed_request');
      expect(await titled(service, 'Malformed')).toBe(0);
    });
  });

  describe('whose answer was lost', () => {
    it('is answered with the record as it is now, under the status and the headers of a create', async () => {
      const key = newKey();
      const { id } = (await create(key, { title: 'Lost' })).body.data;
      await loseAnswer(service, key);
      await service.http().put(`${POSTS}/${id}`).send({ title: 'Changed since' });

      const again = await create(key, { title: 'Lost' });

      expect([again.status, again.body.data.title]).toEqual([201, 'Changed since']);
      expect(again.headers).toMatchObject({
        etag: '"2"',
        location: `${POSTS}/${id}`,
        'idempotent-replayed': 'true',
      });
    });

    it('behind its commit is outcome_unknown, and carried out once', async () => {
      const broken = jest.spyOn(service.app.get(WrittenRecords, { strict: false }), 'created');
      broken.mockRejectedValueOnce(new Error('broken'));

      expectError(await create('broken', { title: 'Broken' }), 'outcome_unknown');
      const again = await create('broken', { title: 'Broken' });

      expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
      expect(await titled(service, 'Broken')).toBe(1);
    });

    it('since it could not be kept, was given all the same', async () => {
      const units = service.app.get(UnitOfWork);
      const run = units.run.bind(units);
      jest.spyOn(units, 'run').mockImplementationOnce(run).mockRejectedValueOnce(new Error('no room'));
      const first = await create('unkept', { title: 'Unkept' });
      jest.restoreAllMocks();

      expect([first.status, (await rowsOf(service, 'unkept'))[0]?.answer]).toEqual([201, null]);
      expect((await create('unkept', { title: 'Unkept' })).text).toBe(first.text);
    });

    it('is not kept of a long record, which is read instead', async () => {
      const body = { title: 'Long', body: 'x'.repeat(600_000) };
      const first = await create('long', body);

      const again = await create('long', body);

      expect((await rowsOf(service, 'long'))[0]?.answer).toBeNull();
      expect([again.status, again.text === first.text, again.headers.etag]).toEqual([201, true, first.headers.etag]);
    });
  });

  describe('and its twins at the same moment', () => {
    it('at two instances make one record, and all others are answered with it', async () => {
      const answers = await atOnce((instance) => sendWithKey(instance, 'twins', POSTS, { title: 'Twin' }));

      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(new Set(answers.map(({ headers: { etag, location } }) => `${etag} ${location}`)).size).toBe(1);
      expect([answers[0]?.status, replays(answers)]).toEqual([201, TWINS - 1]);
      expect(await titled(service, 'Twin')).toBe(1);
    });

    it('and of other content make one record, and are refused or answered with it', async () => {
      const answers = await atOnce((instance, n) =>
        sendWithKey(instance, 'rivals', POSTS, { title: `Rival ${Math.floor(n / 2) % 5}` }),
      );

      const made = answers.filter(({ status }) => status === 201);
      expect(new Set(made.map(({ body }) => body.data.id)).size).toBe(1);
      expect([replays(made), answers.filter(({ status }) => status === 422).length]).toEqual([9, 40]);
    });

    it('fold one working copy in', async () => {
      const path = await aPost({ title: 'Before' });
      await save(path.slice('/api/cms/'.length), { title: 'After' });

      const answers = await atOnce((instance) => sendWithKey(instance, 'folded', `${path}/draft/apply`));

      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect([answers[0]?.status, replays(answers)]).toEqual([200, TWINS - 1]);
      expect((await service.http().get(path)).body.data.version).toBe(2);
    });

    it('are carried out by the next one where the first is refused', async () => {
      const path = await aPost({ title: 'In their way', slug: 'in-their-way' });
      const send = (instance: TestApp) =>
        sendWithKey(instance, 'freed', POSTS, { title: 'Freed', slug: 'in-their-way' });

      const refused = await atOnce(send);
      await service.http().delete(`${path}?permanent=true`).expect(204);
      const answers = await atOnce(send);

      expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([409]));
      expect([answers.filter(({ status }) => status === 201).length, replays(answers)]).toEqual([TWINS, TWINS - 1]);
    });
  });

  it('asks the database what a create without one asks, and no more where it has none', async () => {
    const statements = statementsDuring(service);
    const asked = async (work: () => PromiseLike<Response>): Promise<string[]> => {
      statements.length = 0;
      expect((await work()).status).toBeLessThan(300);
      return statements.filter((sql) => sql.includes('idempotency_keys'));
    };
    const path = await aPost({ title: 'Counted' });

    expect(await asked(() => service.http().post(POSTS).send({ title: 'Without' }))).toEqual([]);
    expect(await asked(() => service.http().post(`${path}/publish`).send({}))).toEqual([]);
    expect(await asked(() => create(newKey(), { title: 'With' }))).toHaveLength(3);
  });

  it.each(['put', 'patch'] as const)('%s takes no notice of the header, nor do other routes', async (method) => {
    const path = await aPost({ title: 'Changed' });
    const send = (title: string) => service.http()[method](path).set('Idempotency-Key', 'a b').send({ title });

    await send('Once').expect(200);
    expect((await send('Twice').expect(200)).body.data.version).toBe(3);
    await service.http().post(`${path}/unpublish`).set('Idempotency-Key', 'a b').send({}).expect(200);
  });

  it('is known for a month, its answer for a day', async () => {
    const { source } = service.app.get(Writer, { strict: false });
    const made = await create('old', { title: 'As it was' });
    const [first] = await rowsOf(service, 'old');
    const age = async (days: number) => {
      const expires = Number(first?.expires_at) - days * 86_400_000;
      await source.query(`UPDATE idempotency_keys SET expires_at = ${expires} WHERE ref = ${made.body.data.id}`);
      await service.run('idempotency.drop-old');
    };
    await service.http().patch(`${POSTS}/${made.body.data.id}`).send({ title: 'As it is' }).expect(200);
    expect(Math.round((Number(first?.expires_at) - Date.parse(made.body.data.created_at)) / 86_400_000)).toBe(31);

    await age(0);
    expect((await create('old', { title: 'As it was' })).body.data.title).toBe('As it was');
    await age(2);
    const again = await create('old', { title: 'As it was' });
    expect(again.body.data).toMatchObject({ id: made.body.data.id, title: 'As it is' });
    await age(32);
    expect((await create('old', { title: 'As it was' })).body.data.id).not.toBe(made.body.data.id);
  });

  it('is forgotten with all the others of its day', async () => {
    const { source } = service.app.get(Writer, { strict: false });
    const rows = Array.from({ length: 450 }, (_, n) => `('old', '${n}', 'x', 1, 1)`);
    await source.query(
      `INSERT INTO idempotency_keys (caller, hash, request, ref, expires_at) VALUES ${rows.join(', ')}`,
    );
    await create('young', { title: 'Young' });
    const [young] = await rowsOf(service, 'young');

    await service.run('idempotency.drop-old');

    expect(await source.query("SELECT hash FROM idempotency_keys WHERE caller = 'old'")).toEqual([]);
    expect(await rowsOf(service, 'young')).toEqual([young]);
  });
});
