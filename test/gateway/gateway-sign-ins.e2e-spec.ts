import { expectError } from '../support/errors.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const SECRET = 'k7Jd02mQx94LpTz8VwBn3RyHs6GfC1eA';
const USERS = { groups: { map: { admins: 'admin', readers: 'viewer' } } };
const GATEWAY = { TRUST_PROXY: '127.0.0.0/8', GATEWAY_SECRET: SECRET, GATEWAY_USERS: JSON.stringify(USERS) };
const NAMED = {
  'X-Gateway-Secret': SECRET,
  'X-Forwarded-User': 'ann',
  'X-Forwarded-Email': 'ann@example.com',
  'X-Forwarded-Groups': 'staff, readers',
};

describe('The time of a sign-in that a gateway sends', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp({ ...GATEWAY, GATEWAY_USERS: JSON.stringify({ ...USERS, auth_time: true }) });
  });

  afterAll(() => service.close());

  const make = (app: TestApp, time?: string) =>
    app
      .anonymous()
      .post('/api/users')
      .set({
        ...NAMED,
        'X-Forwarded-Groups': 'admins',
        ...(time === undefined ? {} : { 'X-Forwarded-Auth-Time': time }),
      })
      .send({ name: 'Made', email: `made${(made += 1)}@example.com`, role: 'author' });
  let made = 0;
  const now = (difference = 0) => Date.now() + difference * 1_000;

  it.each([
    ['in seconds', () => String(Math.floor(now() / 1_000))],
    ['in ISO 8601', () => new Date(now(-500)).toISOString()],
    ['in ISO 8601 with an offset', () => `${new Date(now(3_600)).toISOString().slice(0, 19)}+01:00`],
  ])('makes it a fresh one %s', async (_, time) => {
    expect((await make(service, time())).status).toBe(201);
  });

  it.each([
    ['which is long ago', () => String(Math.floor(now(-601) / 1_000))],
    ['which is to come', () => String(Math.floor(now(90) / 1_000))],
    ['in milliseconds', () => String(now())],
    ['without a zone', () => new Date(now()).toISOString().slice(0, 19)],
    ['in words', () => new Date(now()).toUTCString()],
    ['on a day that does not exist', () => '2026-13-45T00:00:00Z'],
    ['which is empty', () => ''],
  ])('makes it none %s, and the refusal says what the gateway has to do', async (_, time) => {
    const answer = await make(service, time());

    expectError(answer, 'insufficient_user_authentication');
    expect(answer.body.message).toContain('at your gateway, which has to send X-Forwarded-Auth-Time');
    expect(answer.body.message).not.toContain('step-up');
  });

  it('counts where the setting says so, and the operator may vouch for each of them', async () => {
    const silent = await startTestApp({ ...GATEWAY, GATEWAY_USERS: JSON.stringify(USERS) });
    const vouched = await startTestApp({ ...GATEWAY, GATEWAY_USERS: JSON.stringify({ ...USERS, fresh: true }) });
    try {
      expectError(await make(silent, String(Math.floor(now() / 1_000))), 'insufficient_user_authentication');
      expect((await make(vouched)).status).toBe(201);
    } finally {
      await silent.close();
      await vouched.close();
    }
  });
});
