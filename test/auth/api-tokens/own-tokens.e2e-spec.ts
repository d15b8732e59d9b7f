import { expectError } from '../../support/errors.js';
import { aPerson, signedIn } from '../../support/sign-in.js';
import { startTestApp, TOKENS, type TestApp } from '../../support/test-app.js';

const ROUTE = '/api/auth/tokens';
const ADMIN_ROUTE = '/api/admin/tokens';
const DAY = 86_400_000;

describe('/api/auth/tokens', () => {
  let service: TestApp;
  let viewer: string;
  let viewerId: number;
  let other: string;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    const person = await aPerson(service);
    viewerId = person.id;
    viewer = (await signedIn(service, person)).token;
    other = (await signedIn(service, await aPerson(service))).token;
  });

  afterAll(() => service.close());

  const ORDER = { name: 'laptop', scopes: ['records:read'] };
  const make = (body: object = ORDER, token = viewer) => service.http(token).post(ROUTE).send(body);
  const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString();

  it('makes a personal token of 90 days for any user', async () => {
    const { status, body, headers } = await make();

    expect([status, headers['cache-control']]).toEqual([201, 'no-store']);
    const { data } = body;
    expect(data).toMatchObject({ kind: 'personal', owner_id: viewerId, scopes: ['records:read'] });
    expect(Date.parse(data.expires_at) - Date.parse(data.created_at)).toBe(90 * DAY);
    await service.http(data.token).get('/api/cms/post').expect(200);
  });

  it('lists, revokes and rotates own personal tokens and no others', async () => {
    const { id } = (await make().expect(201)).body.data;
    const theirs = (await make(ORDER, other).expect(201)).body.data;

    const listed = (await service.http(viewer).get(`${ROUTE}?per_page=100`).expect(200)).body.data;
    expect(listed.map((each: { id: number }) => each.id)).toContain(id);
    expect(new Set(listed.map((each: { owner_id: number }) => each.owner_id))).toEqual(new Set([viewerId]));
    expectError(await service.http(viewer).delete(`${ROUTE}/${theirs.id}`), 'token_not_found');
    expectError(await service.http(viewer).post(`${ROUTE}/${theirs.id}/rotate`), 'token_not_found');

    const rotated = await service.http(viewer).post(`${ROUTE}/${id}/rotate`).expect(200);
    expect(rotated.body.data).toMatchObject({ kind: 'personal', owner_id: viewerId });
    await service.http(viewer).delete(`${ROUTE}/${rotated.body.data.id}`).expect(204);
    await service.http(rotated.body.data.token).get('/api/auth/me').expect(401);
  });

  it('refuses scopes that the user does not hold', async () => {
    expectError(await make({ name: 'more', scopes: ['records:read', 'records:update'] }), 'insufficient_scope');
  });

  it.each([
    ['never', 'never'],
    ['too far ahead', inDays(366)],
  ])('refuses an expiry that is %s', async (_, expires) => {
    const { status, body } = await make({ ...ORDER, expires_at: expires });

    expect(status).toBe(422);
    expect(body.details).toMatchObject([{ field: 'expires_at', rule: 'max_days' }]);
  });

  it('takes a kind nowhere: they are personal', async () => {
    expectError(await make({ ...ORDER, kind: 'service' }), 'validation_failed');
  });

  it('is for signed-in users, not for API tokens', async () => {
    const { token } = (await make().expect(201)).body.data;

    for (const caller of [token, TOKENS.admin]) {
      expectError(await service.http(caller).get(ROUTE), 'invalid_token');
      expectError(await make(ORDER, caller), 'invalid_token');
    }
    expectError(await service.anonymous().get(ROUTE), 'unauthorized');
  });

  describe('Under /api/admin/tokens', () => {
    let admin: string;

    beforeAll(async () => {
      admin = (await signedIn(service, await aPerson(service, { role: 'admin' }))).token;
    });

    const order = (body: object, token: string) =>
      service
        .http(token)
        .post(ADMIN_ROUTE)
        .send({ name: 'ci', scopes: ['*'], ...body });

    it('a user makes personal tokens, and service tokens where that is said', async () => {
      const personal = (await order({}, admin).expect(201)).body.data;
      const forService = (await order({ kind: 'service', expires_at: 'never' }, admin).expect(201)).body.data;

      expect([personal.kind, forService.kind, forService.expires_at]).toEqual(['personal', 'service', null]);
      expect(forService.owner_id).toBe(personal.owner_id);
    });

    it('a token of the configuration makes service tokens and no personal ones', async () => {
      expect((await order({}, TOKENS.admin).expect(201)).body.data).toMatchObject({ kind: 'service', owner_id: null });
      expectError(await order({ kind: 'personal' }, TOKENS.admin), 'validation_failed');
      expectError(await order({ kind: 'robot' }, TOKENS.admin), 'validation_failed');
    });
  });
});
