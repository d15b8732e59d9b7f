import { expectError } from '../../support/errors.js';
import { aPerson, PASSWORD, signedIn, type Person } from '../../support/sign-in.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { twinOf } from '../../support/twin.js';

/** What ends or lessens the authority of an admin, at the first instance; the second remembers the admin for 4 s. */
type End = (service: TestApp, admin: Person) => Promise<unknown>;

/** Turns of each admin in a race. */
const ROUNDS = 3;

const ENDS: readonly (readonly [string, End, 'invalid_token' | 'insufficient_scope'])[] = [
  ['deleted', async (service, { id }) => service.http().delete(`/api/users/${id}`).expect(204), 'invalid_token'],
  ['disabled', async (service, { id }) => put(service, id, { disabled: true }), 'invalid_token'],
  ['signed out', async (service, { id }) => put(service, id, { password: 'another long password' }), 'invalid_token'],
  ['demoted', async (service, { id }) => put(service, id, { role: 'editor' }), 'insufficient_scope'],
];

function put(service: TestApp, id: number, body: object) {
  return service.http().put(`/api/users/${id}`).send(body).expect(200);
}

describe('What makes lasting authority asks again', () => {
  let service: TestApp;
  let twin: TestApp;
  let count = 0;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    twin = await twinOf(service);
    // Otherwise the admin of a test may be the last one.
    await aPerson(service, { role: 'admin' });
  });

  afterAll(async () => {
    await twin.close();
    await service.close();
  });

  const name = () => `a${(count += 1)}`;
  const email = () => `${name()}@example.com`;

  /** Every write of authority, with what it takes from another admin. */
  const WRITES: Readonly<Record<string, (token: string, other: Person) => PromiseLike<{ status: number }>>> = {
    'a token': (token) =>
      twin
        .http(token)
        .post('/api/admin/tokens')
        .send({ name: 'late', scopes: ['*'] }),
    'a personal token': (token) =>
      twin
        .http(token)
        .post('/api/auth/tokens')
        .send({ name: 'late', scopes: ['records:read'] }),
    'a user': (token) => twin.http(token).post('/api/users').send({ name: 'Late', email: email(), role: 'admin' }),
    'a change of a user': (token, { id }) => twin.http(token).put(`/api/users/${id}`).send({ name: 'Late' }),
    'the end of a user': (token, { id }) => twin.http(token).delete(`/api/users/${id}`),
    'end of the sessions of a user': (token, { id }) => twin.http(token).delete(`/api/users/${id}/sessions`),
    'end of an identity of a user': (token, { id }) => twin.http(token).delete(`/api/users/${id}/identities/1`),
    'an invitation': (token) =>
      twin.http(token).post('/api/auth/invitations').send({ name: 'Late', email: email(), role: 'admin' }),
    'a type': (token) => twin.http(token).post('/api/admin/types').send({ name: name(), fields: [] }),
    'a change of a type': (token) => twin.http(token).put('/api/admin/types/post').send({ description: name() }),
    'a taxonomy': (token) => twin.http(token).post('/api/admin/taxonomies').send({ name: name() }),
    'a change of a taxonomy': (token) =>
      twin.http(token).put('/api/admin/taxonomies/tag').send({ description: name() }),
  };

  describe.each(ENDS)('where the caller was %s in another instance', (_, end, error) => {
    it.each(Object.keys(WRITES).filter((what) => error === 'invalid_token' || what !== 'a personal token'))(
      'and makes no %s',
      async (what) => {
        const [admin, other] = [await aPerson(service, { role: 'admin' }), await aPerson(service)];
        const { token } = await signedIn(twin, admin);
        await twin.http(token).get('/api/users').expect(200);

        await end(service, admin);

        await twin.http(token).get('/api/cms/post').expect(200);
        expectError((await WRITES[what]?.(token, other)) as never, error);
      },
    );
  });

  it('refuses a token that was revoked in another instance', async () => {
    const order = { name: 'manager', scopes: ['*'] };
    const { body } = await service.http().post('/api/admin/tokens').send(order).expect(201);
    const { id, token } = body.data;
    await twin.http(token).get('/api/users').expect(200);
    await service.http().delete(`/api/admin/tokens/${id}`).expect(204);

    expectError(await twin.http(token).post('/api/admin/tokens').send(order), 'invalid_token');
    expectError(await twin.http(token).post('/api/users').send({ name: 'Late', email: email() }), 'invalid_token');
  });

  it('answers /api/auth/me of a user who is gone with 401', async () => {
    const admin = await aPerson(service);
    const { token } = await signedIn(twin, admin);
    await twin.http(token).get('/api/auth/me').expect(200);

    await service.http().delete(`/api/users/${admin.id}`).expect(204);

    expectError(await twin.http(token).get('/api/auth/me'), 'invalid_token');
  });

  it.each<[string, (token: string) => PromiseLike<Parameters<typeof expectError>[0]>]>([
    [
      'a change of the password',
      (token) => {
        const change = { current_password: PASSWORD, password: 'another long password' };
        return twin.http(token).post('/api/auth/password/change').send(change);
      },
    ],
    ['/api/auth/security', (token) => twin.http(token).get('/api/auth/security')],
  ])('answers %s of a user who is gone with 401', async (_, ask) => {
    const admin = await aPerson(service);
    const { token } = await signedIn(twin, admin);
    await twin.http(token).get('/api/auth/me').expect(200);
    await service.http().delete(`/api/users/${admin.id}`).expect(204);

    expectError(await ask(token), 'invalid_token');
  });

  it('neither hangs nor fails where admins change each other, sign out and make tokens all at once', async () => {
    const admins = await Promise.all(Array.from({ length: 5 }, () => aPerson(service, { role: 'admin' })));
    const sessions = await Promise.all(admins.map((admin) => signedIn(service, admin)));
    const instances = [service, twin];
    const work = sessions.flatMap(({ token }, at) =>
      Array.from({ length: ROUNDS }, (_, round) => {
        const http = () => (instances[(at + round) % 2] ?? service).http(token);
        const next = admins[(at + round + 1) % admins.length]?.id ?? 0;
        return [
          http()
            .put(`/api/users/${next}`)
            .send({ name: `Renamed ${round}` }),
          http()
            .put(`/api/users/${next}`)
            .send({ role: round === ROUNDS - 1 ? 'editor' : 'admin' }),
          http()
            .post('/api/admin/tokens')
            .send({ name: 'race', scopes: ['records:read'] }),
          http().post('/api/auth/step-up').send({ password: PASSWORD }),
          http().post('/api/users').send({ name: 'New', email: email(), role: 'viewer' }),
          ...(round === 1 ? [http().post('/api/auth/logout').send({ scope: 'others' })] : []),
        ];
      }).flat(),
    );

    const statuses = (await Promise.all(work)).map(({ status }) => status);

    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(statuses.length / 4);
  });
});
