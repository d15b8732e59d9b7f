import { Reads } from '../../src/database/statements/reads.js';
import { execute } from '../../src/database/statements/statement.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { putClockAhead } from '../support/clock.js';
import { expectError } from '../support/errors.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { TokenIssuer } from '../support/token-issuer.js';

const WEAK_SCOPES = ['users:read', 'users:write', 'records:read'];

describe('A user whose role an issuer names', () => {
  let issuer: TokenIssuer;
  let service: TestApp;
  let weak: ReturnType<TestApp['http']>;

  beforeAll(async () => {
    issuer = await TokenIssuer.start();
    service = await startTestApp({ ...issuer.environment(), RATE_LIMITS: 'off' });
    const order = { name: 'staff list', scopes: WEAK_SCOPES, kind: 'service' };
    const { body } = await service.http().post('/api/admin/tokens').send(order).expect(201);
    weak = service.http(body.data.token as string);
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    await service.close();
    await issuer.stop();
  });

  /** As another process does, of which this one hears later. */
  const write = async (sql: string, id: number): Promise<void> => {
    await service.app.get(UnitOfWork).run((manager) => execute(manager, sql, [id]));
  };
  const arrive = async (sub: string, group: string) => {
    const token = await issuer.sign({ sub, groups: [group], iat: Math.floor(Date.now() / 1_000) });
    return (await service.http(token).get('/api/auth/me').expect(200)).body.data.user.id as number;
  };
  const identityOf = async (id: number) =>
    (await service.http().get(`/api/users/${id}/identities`).expect(200)).body.data[0] as {
      id: number;
      last_used_at: string;
    };

  it('is managed only by callers with all scopes of that role, whatever the account has here', async () => {
    const id = await arrive('boss', 'admins');
    const { id: identity } = await identityOf(id);
    const email = 'thief@example.com';

    const attempts = [
      weak.put(`/api/users/${id}`).send({ password: 'a sentence of my own making' }),
      weak.put(`/api/users/${id}`).send({ email }),
      weak.put(`/api/users/${id}`).send({ disabled: true }),
      weak.delete(`/api/users/${id}`),
      weak.get(`/api/users/${id}/security`),
      weak.get(`/api/users/${id}/sessions`),
      weak.delete(`/api/users/${id}/sessions`),
      weak.delete(`/api/users/${id}/sessions/${'0'.repeat(32)}`),
      weak.get(`/api/users/${id}/tokens`),
      weak.delete(`/api/users/${id}/tokens`),
      weak.delete(`/api/users/${id}/tokens/1`),
      weak.get(`/api/users/${id}/identities`),
      weak.delete(`/api/users/${id}/identities/${identity}`),
    ];
    for (const attempt of attempts) expectError(await attempt, 'insufficient_scope');

    expect(await arrive('boss', 'admins')).toBe(id);
    await service.http().put(`/api/users/${id}`).send({ disabled: true }).expect(200);
  });

  it('is that of an admin from the first request with that role on', async () => {
    const id = await arrive('riser', 'readers');
    await weak.put(`/api/users/${id}`).send({ name: 'Before' }).expect(200);

    await arrive('riser', 'admins');

    expectError(await weak.put(`/api/users/${id}`).send({ name: 'After' }), 'insufficient_scope');
  });

  it('is a lesser one within an hour of use, so that a former token does not count for ever', async () => {
    const id = await arrive('fallen', 'admins');

    await arrive('fallen', 'readers');
    expectError(await weak.put(`/api/users/${id}`).send({ name: 'Early' }), 'insufficient_scope');
    putClockAhead(service, 3_600);
    const token = await issuer.sign({ sub: 'fallen', groups: ['readers'], iat: later(3_600), exp: later(3_900) });
    await service.http(token).get('/api/auth/me').expect(200);

    await weak.put(`/api/users/${id}`).send({ name: 'Late' }).expect(200);
    expect(Date.parse((await identityOf(id)).last_used_at)).toBeGreaterThan(Date.now() + 3_500_000);
  });

  it('shows the role that holds: to themselves as of the request, to others the latest and that an issuer gives it', async () => {
    const id = await arrive('shown', 'admins');
    const ask = async (group: string) => {
      const token = await issuer.sign({ sub: 'shown', groups: [group] });
      return (await service.http(token).get('/api/auth/me').expect(200)).body.data.user as object;
    };
    const seen = async () => (await service.http().get(`/api/users/${id}`).expect(200)).body as object;

    expect(await ask('admins')).toMatchObject({ role: 'admin' });
    expect(await ask('readers')).toMatchObject({ role: 'viewer' });
    expect(await seen()).toMatchObject({ role: 'admin', role_source: 'issuer' });
    const list = (await service.http().get('/api/users').expect(200)).body as { id: number }[];
    expect(list.find((one) => one.id === id)).toEqual(await seen());
  });

  it('does not get the role of the issuer for good by a form that sends it back, and no lesser one beside it', async () => {
    const id = await arrive('edited', 'editors');
    const put = (body: object) => service.http().put(`/api/users/${id}`).send(body);

    const { body } = await put({ name: 'Edited', role: 'editor' }).expect(200);
    expect(body).toMatchObject({ name: 'Edited', role: 'editor', role_source: 'issuer' });
    for (const role of ['viewer', 'author']) expectError(await put({ role }), 'managed_elsewhere');
    const { id: identity } = await identityOf(id);
    await service.http().delete(`/api/users/${id}/identities/${identity}`).expect(204);

    const left = await service.http().get(`/api/users/${id}`).expect(200);
    expect(left.body).toMatchObject({ role: 'viewer', role_source: null });
    expect((await put({ role: 'author' }).expect(200)).body).toMatchObject({ role: 'author', role_source: null });
  });

  it.each<[string, string, (id: number) => Promise<void>]>([
    ['whose identity was unlinked', 'unlinked', (id) => write('DELETE FROM auth_identities WHERE user_id = ?', id)],
    ['who was disabled', 'disabled', (id) => write('UPDATE users SET disabled_at = 1 WHERE id = ?', id)],
  ])('gets no role noted %s in another process meanwhile, and is refused', async (_, sub, elsewhere) => {
    const id = await arrive(sub, 'readers');
    await elsewhere(id);
    await write('UPDATE users SET issuer_role = NULL WHERE id = ?', id);

    const stronger = await issuer.sign({ sub, groups: ['admins'] });
    expectError(await service.http(stronger).get('/api/auth/me'), 'invalid_token');

    const rows = await service.app.get(Reads).select('SELECT issuer_role FROM users WHERE id = ?', [id]);
    expect(rows).toEqual([{ issuer_role: null }]);
  });

  it('makes no personal token that would have less than it says, since that has the role of the account here', async () => {
    const token = await issuer.sign({ sub: 'maker', groups: ['admins'], auth_time: later(0) });
    const make = (order: object) =>
      service
        .http(token)
        .post('/api/admin/tokens')
        .send({ name: 'p', ...order });

    const refused = await make({ scopes: ['*'] });
    expectError(refused, 'validation_failed');
    expect(refused.body.details).toMatchObject([{ field: 'scopes', rule: 'role' }]);
    expectError(await make({ scopes: ['records:read', 'users:write'], kind: 'personal' }), 'validation_failed');
    for (const order of [{ scopes: ['records:read'] }, { scopes: ['*'], kind: 'service' }]) {
      const { data } = (await make(order).expect(201)).body as { data: { token: string; scopes: string[] } };
      const me = await service.http(data.token).get('/api/auth/me').expect(200);
      expect(me.body.data.scopes).toEqual(data.scopes);
    }
  });

  it('has none any more without the identity', async () => {
    const id = await arrive('former', 'admins');
    const { id: identity } = await identityOf(id);

    await service.http().delete(`/api/users/${id}/identities/${identity}`).expect(204);

    await weak.put(`/api/users/${id}`).send({ name: 'Former' }).expect(200);
  });
});

function later(seconds: number): number {
  return Math.floor(Date.now() / 1_000) + seconds;
}
