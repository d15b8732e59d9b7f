import { putClockAhead } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import { tokenOf } from '../../support/mail-sign-in.js';
import type { ReadMail } from '../../support/mailbox.js';
import { startMailedApp, type MailedApp } from '../../support/mailed-app.js';
import { aPerson, type Person, prepared, proved, signedIn } from '../../support/sign-in.js';
import type { TestApp } from '../../support/test-app.js';
import { twinOf } from '../../support/twin.js';

const NEW = 'another long password';

describe('API tokens and their owner', () => {
  let service: MailedApp;
  let twin: TestApp;

  beforeAll(async () => {
    service = await startMailedApp();
    twin = await twinOf(service);
    // Otherwise the owner of a test may be the last admin.
    await aPerson(service, { role: 'admin' });
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    await twin.close();
    await service.close();
  });

  const put = async (id: number, body: object) => service.http().put(`/api/users/${id}`).send(body).expect(200);

  /** The first mail of a kind: notices of tokens and passwords come to the same mailbox. */
  async function mailTo(email: string, fits: (mail: ReadMail) => boolean): Promise<ReadMail> {
    for (;;) {
      const mail = await service.mailbox.next(email);
      if (fits(mail)) return mail;
    }
  }

  /** What can happen to an owner, all of it at the first instance. */
  const EVENTS: Readonly<Record<string, (owner: Person) => Promise<unknown>>> = {
    disabled: ({ id }) => put(id, { disabled: true }),
    deleted: async ({ id }) => service.http().delete(`/api/users/${id}`).expect(204),
    demoted: ({ id }) => put(id, { role: 'viewer' }),
    'given another password': ({ id }) => put(id, { password: NEW }),
    'reset by mail': async ({ email }) => {
      await service.anonymous().post('/api/auth/password/forgot').send({ email }).expect(200);
      const token = tokenOf(await mailTo(email, ({ link }) => link.includes('/password/reset')));
      await service.anonymous().post('/api/auth/password/reset').send({ token, password: NEW }).expect(200);
    },
    'given another address': ({ id }) => put(id, { email: `moved${id}@example.com` }),
  };

  async function aToken(kind: 'personal' | 'service'): Promise<{ owner: Person; token: string; id: number }> {
    const owner = await aPerson(service, { role: 'admin' });
    const session = await signedIn(service, owner);
    const body = { name: 'ci', scopes: ['*'], kind };
    const made = await service.http(session.token).post('/api/admin/tokens').send(body).expect(201);
    expect(made.body.data).toMatchObject({ kind, owner_id: owner.id });
    return { owner, token: made.body.data.token, id: made.body.data.id };
  }

  it.each([
    ['disabled', 'user.disabled'],
    ['demoted', 'user.updated'],
  ])('are named in the audit where they go on without an owner who is %s', async (what, event) => {
    const { owner, token } = await aToken('service');
    await put(owner.id, { name: 'Renamed' });
    await EVENTS[what]?.(owner);

    const { body } = await service.http().get(`/api/admin/audit?user_id=${owner.id}`).expect(200);
    const named = (body.data as { event: string; details: Record<string, unknown> | null }[]).filter(
      ({ details }) => details?.service_tokens !== undefined,
    );
    expect(named).toMatchObject([{ event, details: { service_tokens: [expect.stringMatching(/^cms_/)] } }]);
    expect(token).toContain((named[0]?.details?.service_tokens as string[])[0]);
    await service.http(token).get('/api/users').expect(200);
  });

  it.each([
    ['disabled', { disabled: true }],
    ['demoted', { role: 'editor' }],
  ])('are counted in the answer to a change by which their owner is %s', async (_, change) => {
    const { owner } = await aToken('service');
    const bare = await aPerson(service, { role: 'admin' });
    const tokensAfter = async (verb: 'put' | 'patch', { id }: Person, body: object) =>
      (await service.http()[verb](`/api/users/${id}`).send(body).expect(200)).headers['service-tokens'];

    expect(await tokensAfter('put', owner, { name: 'Renamed', role: 'admin', disabled: false })).toBeUndefined();
    expect(await tokensAfter('patch', owner, change)).toBe('1');
    expect(await tokensAfter('put', owner, change)).toBeUndefined();
    expect(await tokensAfter('put', bare, change)).toBe('0');
    expect(await tokensAfter('put', owner, { disabled: false })).toBeUndefined();
  });

  /** What a token may still do: read content, and see the users. */
  async function powers(instance: TestApp, token: string): Promise<number[]> {
    const answers = [await instance.http(token).get('/api/cms/post'), await instance.http(token).get('/api/users')];
    return answers.map(({ status }) => status);
  }

  it.each([
    ['personal', 'disabled', [401, 401]],
    ['personal', 'deleted', [401, 401]],
    ['personal', 'demoted', [200, 403]],
    ['personal', 'given another password', [401, 401]],
    ['personal', 'reset by mail', [401, 401]],
    ['personal', 'given another address', [200, 200]],
    ['service', 'disabled', [200, 200]],
    ['service', 'deleted', [200, 200]],
    ['service', 'demoted', [200, 200]],
    ['service', 'given another password', [200, 200]],
    ['service', 'given another address', [200, 200]],
  ] as const)(
    'a %s token whose owner is %s answers %j, in another instance within 5 s',
    async (kind, event, expected) => {
      const { owner, token } = await aToken(kind);
      expect([await powers(service, token), await powers(twin, token)]).toEqual([
        [200, 200],
        [200, 200],
      ]);

      await EVENTS[event]?.(owner);

      expect(await powers(service, token)).toEqual(expected);
      putClockAhead(twin, 4.1);
      expect(await powers(twin, token)).toEqual(expected);
    },
  );

  it('a service token whose owner resets the password by mail goes on', async () => {
    const { owner, token } = await aToken('service');
    // Otherwise the reset would be the first proof of the mailbox as well.
    await service.anonymous().post('/api/auth/otp/send').send({ email: owner.email }).expect(200);
    const { code } = await mailTo(owner.email, (mail) => mail.code !== '');
    await service.anonymous().post('/api/auth/otp/verify').send({ email: owner.email, code }).expect(200);

    await EVENTS['reset by mail']?.(owner);

    expect(await powers(service, token)).toEqual([200, 200]);
  });

  it('a personal token gets its scopes back with the role of its owner', async () => {
    const { owner, token } = await aToken('personal');
    // An account that is not proved gets no role of more scopes.
    await proved(service, owner);
    await put(owner.id, { role: 'editor' });
    expect(await powers(service, token)).toEqual([200, 403]);

    await put(owner.id, { role: 'admin' });

    expect(await powers(service, token)).toEqual([200, 200]);
  });

  it('a personal token does not come to life again with its owner', async () => {
    const { owner, token } = await aToken('personal');
    await put(owner.id, { disabled: true });
    await put(owner.id, { disabled: false });

    expect(await powers(service, token)).toEqual([401, 401]);
  });

  it('a first proof of the mailbox ends personal tokens and leaves those of services', async () => {
    const { owner, token } = await aToken('personal');
    await prepared(service, owner);
    const session = await signedIn(service, owner);
    const body = { name: 'ci', scopes: ['*'], kind: 'service' };
    const made = await service.http(session.token).post('/api/admin/tokens').send(body).expect(201);

    await EVENTS['reset by mail']?.(owner);

    expect(await powers(service, token)).toEqual([401, 401]);
    expect(await powers(service, made.body.data.token)).toEqual([200, 200]);
  });

  it('what a personal token writes is written by its owner', async () => {
    const author = await aPerson(service, { role: 'author', name: 'Ann Author' });
    const session = await signedIn(service, author);
    const record = await service.http(session.token).post('/api/cms/post').send({ title: 'Own' }).expect(201);
    const order = { name: 'laptop', scopes: ['records:update_own', 'records:read', 'drafts:read'] };
    const made = await service.http(session.token).post('/api/auth/tokens').send(order).expect(201);

    const path = `/api/cms/post/${record.body.data.id}`;
    const changed = await service.http(made.body.data.token).patch(path).send({ body: 'by the token' }).expect(200);

    expect(changed.body.data.updated_by).toEqual({ kind: 'user', id: author.id, name: 'Ann Author' });
  });

  describe('DELETE /api/users/{id}', () => {
    it('says how many service tokens the user was responsible for, and keeps them', async () => {
      const { owner, token } = await aToken('service');

      const { headers } = await service.http().delete(`/api/users/${owner.id}`).expect(204);

      expect(headers['service-tokens']).toBe('1');
      expect(await powers(service, token)).toEqual([200, 200]);
    });

    it('ends them too where that is asked for', async () => {
      const { owner, token } = await aToken('service');

      const { headers } = await service.http().delete(`/api/users/${owner.id}?tokens=revoke`).expect(204);

      expect(headers['service-tokens']).toBe('1');
      expect(await powers(service, token)).toEqual([401, 401]);
    });

    it.each(['tokens=maybe', 'tokens=keep&tokens=keep', 'token=keep'])('answers 400 to ?%s', async (query) => {
      const { owner } = await aToken('service');

      expectError(await service.http().delete(`/api/users/${owner.id}?${query}`), 'invalid_query');
    });

    it('does not end tokens that may do more than the caller', async () => {
      const { owner, token } = await aToken('service');
      await put(owner.id, { role: 'viewer' });
      const order = { name: 'staff list', scopes: ['users:write', 'users:read', 'records:read'] };
      const { body } = await service.http().post('/api/admin/tokens').send(order).expect(201);

      const refused = await service.http(body.data.token).delete(`/api/users/${owner.id}?tokens=revoke`);

      expectError(refused, 'insufficient_scope');
      expect(await powers(service, token)).toEqual([200, 200]);
    });
  });

  describe('/api/users/{id}/tokens', () => {
    it('lists the tokens of a user, and ends them one by one or the personal ones together', async () => {
      const { owner, token, id } = await aToken('personal');
      const session = await signedIn(service, owner);
      const order = { name: 'ci', scopes: ['*'], kind: 'service' };
      const made = await service.http(session.token).post('/api/admin/tokens').send(order).expect(201);
      const path = `/api/users/${owner.id}/tokens`;

      const { body } = await service.http().get(path).expect(200);
      expect(body.data.map((each: { id: number; kind: string }) => [each.id, each.kind])).toEqual([
        [made.body.data.id, 'service'],
        [id, 'personal'],
      ]);

      await service.http().delete(path).expect(204);
      expect([await powers(service, token), await powers(service, made.body.data.token)]).toEqual([
        [401, 401],
        [200, 200],
      ]);

      await service.http().delete(`${path}/${made.body.data.id}`).expect(204);
      expect(await powers(service, made.body.data.token)).toEqual([401, 401]);
      expectError(await service.http().delete(`${path}/${made.body.data.id}`), 'token_not_found');
    });

    it('has nothing of others, and nothing for callers without power over the role', async () => {
      const { owner } = await aToken('personal');
      const other = await aToken('personal');
      const order = { name: 'staff list', scopes: ['users:write', 'users:read'] };
      const { body } = await service.http().post('/api/admin/tokens').send(order).expect(201);

      expectError(await service.http().delete(`/api/users/${owner.id}/tokens/${other.id}`), 'token_not_found');
      expectError(await service.http(body.data.token).delete(`/api/users/${owner.id}/tokens`), 'insufficient_scope');
      expectError(await service.http().get('/api/users/999999/tokens'), 'user_not_found');
    });
  });
});
