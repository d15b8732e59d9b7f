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
