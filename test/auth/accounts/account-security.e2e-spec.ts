import { expectError } from '../../support/errors.js';
import { API_TOKENS, startTestApp, type TestApp } from '../../support/test-app.js';
import { aPerson, login, signedIn } from '../../support/sign-in.js';
import { statementsDuring } from '../../support/statements.js';

const READER = 'test-users-reader-0123456789';
const DESK = 'test-users-desk-0123456789';
const OWN = '/api/auth/security';

interface Security {
  readonly has_password: boolean;
  readonly sessions: readonly { readonly id: string; readonly current: boolean }[];
  readonly identities: readonly object[];
  readonly tokens: readonly { readonly id: number; readonly name: string }[];
  readonly events: readonly { readonly event: string; readonly by: string }[];
}

describe('What opens an account', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp({
      API_TOKENS: [
        API_TOKENS,
        `users=${READER};users:read records:read`,
        `desk=${DESK};users:read users:write records:read`,
      ].join(','),
      RATE_LIMITS: 'off',
    });
  });

  afterAll(() => service.close());

  const securityOf = async (token: string, path = OWN): Promise<Security> =>
    (await service.http(token).get(path).expect(200)).body.data;
  const aToken = async (token: string, name: string): Promise<number> => {
    const order = { name, scopes: ['records:read'] };
    return (await service.http(token).post('/api/admin/tokens').send(order).expect(201)).body.data.id;
  };

  it('is shown to its user in one answer: sessions, identities, living tokens and the last events', async () => {
    const ann = await aPerson(service, { role: 'admin' });
    const { token } = await signedIn(service, ann);
    await login(service, ann);
    await service.http().put(`/api/users/${ann.id}`).send({ name: 'Ann B.' }).expect(200);
    const [kept, gone] = [await aToken(token, 'kept'), await aToken(token, 'gone')];
    await service.http(token).delete(`/api/admin/tokens/${gone}`).expect(204);

    const shown = await securityOf(token);

    expect(shown).toMatchObject({ has_password: true, identities: [], tokens: [{ id: kept, name: 'kept' }] });
    expect(shown.sessions.map(({ current }) => current).sort()).toEqual([false, true]);
    expect(shown.events.filter(({ event }) => /login|user/.test(event)).map(({ event, by }) => [event, by])).toEqual([
      ['user.updated', 'administrator'],
      ['login', 'user'],
      ['login', 'user'],
      ['user.created', 'administrator'],
    ]);
    expect(JSON.stringify(shown)).not.toMatch(/argon2|"actor"/);
  });

  it('is that of its user alone, and no API token has one', async () => {
    expectError(await service.http().get(OWN), 'invalid_token');
    expectError(await service.anonymous().get(OWN), 'unauthorized');
    const { token } = await signedIn(service, await aPerson(service));
    expectError(await service.http(token).get(`${OWN}?user_id=1`), 'invalid_query');
  });

  it('takes as many statements for many sessions as for one', async () => {
    const ann = await aPerson(service);
    const { token } = await signedIn(service, ann);
    await securityOf(token);
    const statements = statementsDuring(service);
    /** The fewest of several requests: what jobs ask beside one of them only adds to it. */
    const fewest = async (): Promise<number> => {
      const counts: number[] = [];
      for (let count = 0; count < 5; count += 1) {
        statements.length = 0;
        await securityOf(token);
        counts.push(statements.length);
      }
      return Math.min(...counts);
    };
    const few = await fewest();
    for (let count = 0; count < 10; count += 1) await login(service, ann);

    const many = await fewest();

    expect(many).toBeGreaterThan(0);
    expect(many).toBeLessThanOrEqual(few);
  });

  it('is shown to who may see users and holds all that the user may do', async () => {
    const [viewer, admin] = [await aPerson(service), await aPerson(service, { role: 'admin' })];
    await signedIn(service, viewer);

    const shown = await securityOf(READER, `/api/users/${viewer.id}/security`);

    expect([shown.sessions.length, shown.sessions[0]?.current]).toEqual([1, false]);
    for (const route of ['security', 'sessions', 'tokens', 'identities']) {
      expectError(await service.http(READER).get(`/api/users/${admin.id}/${route}`), 'insufficient_scope');
      expectError(await service.http().get(`/api/users/999999/${route}`), 'user_not_found');
    }
  });

  describe('sessions of others', () => {
    it('are listed and ended, one or all, with an event that says by whom', async () => {
      const ann = await aPerson(service);
      const all = [await signedIn(service, ann), await signedIn(service, ann), await signedIn(service, ann)] as const;
      const path = `/api/users/${ann.id}/sessions`;
      const listed = (await service.http(DESK).get(path).expect(200)).body;
      expect(listed.data).toHaveLength(3);
      const [{ id }] = (await service.http(all[0].token).get('/api/auth/sessions')).body.data.filter(
        ({ current }: { current: boolean }) => current,
      );

      await service.http(DESK).delete(`${path}/${id}`).expect(204);

      expectError(await service.http(all[0].token).get('/api/auth/me'), 'invalid_token');
      await service.http(all[1].token).get('/api/auth/me').expect(200);
      expectError(await service.http(DESK).delete(`${path}/${id}`), 'session_not_found');
      await service.http(DESK).delete(path).expect(204);
      expectError(await service.http(all[1].token).get('/api/auth/me'), 'invalid_token');
      const { body } = await service.http().get(`/api/admin/audit?user_id=${ann.id}&event=session.ended`);
      expect(body.data).toMatchObject([
        { actor: { name: 'desk' }, details: { sessions: 2 } },
        { actor: { name: 'desk' }, session_id: id },
      ]);
    });

    it('are ended by those alone who may manage that user', async () => {
      const [viewer, admin] = [await aPerson(service), await aPerson(service, { role: 'admin' })];
      const { token } = await signedIn(service, admin);
      const path = `/api/users/${admin.id}/sessions`;

      expectError(await service.http(DESK).delete(path), 'insufficient_scope');
      expectError(await service.http(READER).delete(`/api/users/${viewer.id}/sessions`), 'insufficient_scope');
      expectError(await service.http().delete('/api/users/999999/sessions'), 'user_not_found');
      await service.http(token).get('/api/auth/me').expect(200);
    });

    it('are not those of another user', async () => {
      const [ann, bea] = [await aPerson(service), await aPerson(service)];
      const { token } = await signedIn(service, ann);
      const [{ id }] = (await service.http(token).get('/api/auth/sessions')).body.data;

      expectError(await service.http().delete(`/api/users/${bea.id}/sessions/${id}`), 'session_not_found');

      await service.http(token).get('/api/auth/me').expect(200);
    });
  });
});
