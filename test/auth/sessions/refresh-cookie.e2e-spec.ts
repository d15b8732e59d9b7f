import { aPerson, PASSWORD, type Person } from '../../support/sign-in.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

describe('The cookie of the refresh token', () => {
  let service: TestApp;
  let ann: Person;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off', PUBLIC_URL: 'https://cms.example.com' });
    ann = await aPerson(service);
  });

  afterAll(() => service.close());

  const loginByCookie = () =>
    service.anonymous().post('/api/auth/login').send({ email: ann.email, password: PASSWORD, mode: 'cookie' });

  it('is one that no sibling domain can set', async () => {
    const { headers } = await loginByCookie();

    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-cms_refresh=cmsr_[\w-]{51}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
      ),
      expect.stringMatching(/^__Host-cms_device=/),
    ]);
  });

  it('keeps its path over plain http, where no prefix protects it', async () => {
    const bare = await startTestApp({ RATE_LIMITS: 'off', PUBLIC_URL: 'http://localhost:3000' });
    const { email } = await aPerson(bare);
    const { headers } = await bare
      .anonymous()
      .post('/api/auth/login')
      .send({ email, password: PASSWORD, mode: 'cookie' });
    await bare.close();

    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^cms_refresh=cmsr_.*; Path=\/api\/auth; HttpOnly; SameSite=Strict$/),
      expect.stringMatching(/^cms_device=/),
    ]);
  });
});
