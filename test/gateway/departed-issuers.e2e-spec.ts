import { waitFor } from '../support/mailbox.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { TokenIssuer } from '../support/token-issuer.js';

const OTHER = 'https://other.example.com';

describe('The role that an issuer named', () => {
  let issuer: TokenIssuer;
  let before: TestApp;

  beforeAll(async () => {
    issuer = await TokenIssuer.start();
    const settings = [issuer.environment(), issuer.environment({ name: 'other', issuer: OTHER })];
    const entries = settings.flatMap(({ TRUSTED_ISSUERS }) => JSON.parse(TRUSTED_ISSUERS) as object[]);
    before = await startTestApp({ TRUSTED_ISSUERS: JSON.stringify(entries), RATE_LIMITS: 'off' });
  });

  afterAll(async () => {
    await before.close();
    await issuer.stop();
  });

  const shared = () => ({ DATABASE_URL: before.database.url, RATE_LIMITS: 'off' });
  const arrive = async (service: TestApp, sub: string, iss?: string) => {
    const token = await issuer.sign({ sub, groups: ['admins'], ...(iss === undefined ? {} : { iss }) });
    return (await service.http(token).get('/api/auth/me').expect(200)).body.data.user.id as number;
  };
  const shown = async (service: TestApp, id: number) =>
    (await service.http().get(`/api/users/${id}`).expect(200)).body as { role: string; role_source: string | null };

  it('is not that of the user any more once the issuer is taken out of the settings', async () => {
    const [gone, stays] = [await arrive(before, 'gone', OTHER), await arrive(before, 'stays')];
    expect(await shown(before, gone)).toMatchObject({ role: 'admin', role_source: 'issuer' });

    const after = await startTestApp({ ...issuer.environment(), ...shared() });
    try {
      await waitFor(async () => ((await shown(after, gone)).role === 'admin' ? null : true), 'the role to go');

      expect(await shown(after, gone)).toMatchObject({ role: 'viewer', role_source: null });
      expect(await shown(after, stays)).toMatchObject({ role: 'admin', role_source: 'issuer' });
      const given = await after.http().put(`/api/users/${gone}`).send({ name: 'Gone', role: 'viewer' }).expect(200);
      expect(given.body).toMatchObject({ name: 'Gone', role: 'viewer', role_source: null });
    } finally {
      await after.close();
    }
  });

  it('is there again with the first token after the issuer has come back', async () => {
    const id = await arrive(before, 'back', OTHER);
    const without = await startTestApp({ ...shared() });
    try {
      await waitFor(async () => ((await shown(without, id)).role === 'admin' ? null : true), 'the role to go');
    } finally {
      await without.close();
    }
    const again = await startTestApp({
      ...issuer.environment({ name: 'other', issuer: OTHER }),
      ...shared(),
    });
    try {
      expect(await arrive(again, 'back', OTHER)).toBe(id);

      expect(await shown(again, id)).toMatchObject({ role: 'admin', role_source: 'issuer' });
    } finally {
      await again.close();
    }
  });
});
