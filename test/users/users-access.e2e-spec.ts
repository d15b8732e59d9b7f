import type { Response } from 'supertest';
import { stopMonotonicClock } from '../support/clock.js';
import { API_TOKENS, startTestApp, TOKENS, type TestApp } from '../support/test-app.js';
import { PASSWORD, userRequests } from '../support/user-requests.js';

const READER = 'test-users-reader-0123456789';
const DESK = 'test-users-desk-0123456789';
/** `admin` may do everything, `users` only read users; `desk` manages users, but no more than authors. */
const TOKENS_SETTING = [
  API_TOKENS,
  `users=${READER};users:read`,
  `desk=${DESK};users:read users:write records:read records:create records:update_own drafts:read revisions:read`,
].join(',');

let service: TestApp;
const { anEmail, create, read, aUser } = userRequests(() => service);
const put = (id: number, body: unknown, token?: string): Promise<Response> =>
  service
    .http(token)
    .put(`/api/users/${id}`)
    .send(body as object);

describe('Who may manage users', () => {
  beforeAll(async () => {
    service = await startTestApp({ API_TOKENS: TOKENS_SETTING, RATE_LIMITS: 'off' });
  });

  afterAll(() => service.close());

  describe('access', () => {
    it.each(['get', 'post'] as const)('answers 401 without a credential to %s', async (verb) => {
      const answer = await service.anonymous()[verb]('/api/users');

      expect([answer.status, answer.body.error]).toEqual([401, 'unauthorized']);
    });

    it('asks for users:read to read and for users:write to write', async () => {
      const { id } = await aUser();
      const reader = service.http(TOKENS.reader);
      const watcher = service.http(READER);

      const answers = [
        await reader.get('/api/users'),
        await reader.get(`/api/users/${id}`),
        await watcher.post('/api/users').send({ name: 'X', email: anEmail() }),
        await watcher.put(`/api/users/${id}`).send({ name: 'X' }),
        await watcher.patch(`/api/users/${id}`).send({ name: 'X' }),
        await watcher.delete(`/api/users/${id}`),
      ];

      expect(answers.map(({ status, body }) => [status, body.error, body.details])).toEqual([
        ...Array(2).fill([403, 'insufficient_scope', [{ scope: 'users:read' }]]),
        ...Array(4).fill([403, 'insufficient_scope', [{ scope: 'users:write' }]]),
      ]);
    });

    it('answers 405 with the methods that are possible', async () => {
      const answer = await service.http().delete('/api/users');

      expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
    });
  });

  describe('a caller who manages users', () => {
    it('can give and change roles up to the own scopes', async () => {
      const created = await create({ name: 'Al', email: anEmail(), role: 'author' }, DESK);
      const demoted = await put(created.body.id, { role: 'viewer', password: PASSWORD }, DESK);
      const removed = await service.http(DESK).delete(`/api/users/${created.body.id}`);

      expect([created.status, demoted.status, removed.status]).toEqual([201, 200, 204]);
    });

    it.each([
      ['editor', 'records:update'],
      ['admin', '*'],
    ])('can neither make nor promote to an %s', async (role, scope) => {
      const user = await aUser();

      const answers = [
        await create({ name: 'Mallory', email: anEmail(), role }, DESK),
        await put(user.id, { role }, DESK),
      ];

      for (const { status, body } of answers) {
        expect([status, body.error]).toEqual([403, 'insufficient_scope']);
        expect(body.details).toContainEqual({ scope });
      }
      expect((await read(user.id)).body).toEqual(user);
    });

    it.each([
      ['a new password', { password: PASSWORD }],
      ['another address', { email: 'mallory@example.com' }],
      ['another name', { name: 'Mallory' }],
      ['a lesser role', { role: 'viewer' }],
      ['disabling', { disabled: true }],
      ['nothing', {}],
    ])('cannot touch a user of a higher role: %s', async (_, body) => {
      const editor = await aUser({ role: 'editor' });

      const answer = await put(editor.id, body, DESK);

      expect([answer.status, answer.body.error]).toEqual([403, 'insufficient_scope']);
      expect((await read(editor.id)).body).toEqual(editor);
    });

    it('cannot delete a user of a higher role', async () => {
      const editor = await aUser({ role: 'editor' });

      const answer = await service.http(DESK).delete(`/api/users/${editor.id}`);

      expect([answer.status, answer.body.error]).toEqual([403, 'insufficient_scope']);
      expect((await read(editor.id)).status).toBe(200);
    });
  });

  describe('the last admin', () => {
    it('can be neither deleted, demoted nor disabled', async () => {
      const { id } = await aUser({ role: 'admin' });

      const answers = [
        await service.http().delete(`/api/users/${id}`),
        await put(id, { role: 'editor' }),
        await put(id, { disabled: true }),
      ];

      expect(answers.map(({ status, body }) => [status, body.error])).toEqual(Array(3).fill([409, 'last_admin']));
    });

    it('stays when two admins are demoted at once', async () => {
      const listed = await service.http().get('/api/users');
      const [first] = listed.body.filter(({ role }: { role: string }) => role === 'admin');
      const second = await aUser({ role: 'admin' });

      const answers = await Promise.all([first.id, second.id].map((id) => put(id, { role: 'editor' })));

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    });
  });
});

describe('The rate limit of /api/users', () => {
  beforeAll(async () => {
    service = await startTestApp({ API_TOKENS: TOKENS_SETTING, RATE_LIMITS: 'on' });
    stopMonotonicClock();
  });

  afterAll(async () => {
    jest.restoreAllMocks();
    await service.close();
  });

  it('counts all routes of a caller together and says what is left', async () => {
    const list = await service.http(DESK).get('/api/users');
    const create = await service.http(DESK).post('/api/users').send({});

    expect([list, create].map(({ status, headers }) => [status, headers['ratelimit-remaining']])).toEqual([
      [200, '59'],
      [422, '58'],
    ]);
    expect(list.headers).toMatchObject({ 'ratelimit-limit': '60', 'ratelimit-reset': expect.stringMatching(/^\d+$/) });
  });

  it('answers 60 requests within a minute and refuses the 61st, of this caller only', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => service.http().get('/api/users/1')));

    const refused = await service.http().get('/api/users');
    const another = await service.http(READER).get('/api/users');

    expect(answers.map(({ status }) => status)).toEqual(Array(60).fill(404));
    expect([refused.status, refused.body.error]).toEqual([429, 'too_many_requests']);
    expect(refused.headers).toMatchObject({
      'retry-after': expect.stringMatching(/^[1-9]\d?$/),
      'ratelimit-limit': '60',
      'ratelimit-remaining': '0',
      'ratelimit-reset': refused.headers['retry-after'],
    });
    expect(another.status).toBe(200);
  });
});
