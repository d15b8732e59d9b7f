import { startTestApp } from '../../support/test-app.js';

async function methodsOf(environment: Record<string, string>) {
  const service = await startTestApp(environment);
  const { status, body } = await service.anonymous().get('/api/auth/methods');
  await service.close();
  expect(status).toBe(200);
  return body;
}

describe('GET /api/auth/methods', () => {
  it('says without a credential how people sign in, and which passwords they may choose', async () => {
    expect(await methodsOf({ MAIL_TRANSPORT: 'file' })).toEqual({
      password: true,
      otp: true,
      magic_link: true,
      mail: false,
      providers: [],
      signup: 'closed',
      password_rules: { min_length: 12, max_length: 256 },
    });
  });

  it('names the providers that are set up and allowed, and mails that are sent', async () => {
    const google = { GOOGLE_CLIENT_ID: 'console', GOOGLE_CLIENT_SECRET: 'secret' };
    const settings = {
      AUTH_METHODS: 'google,magic-link',
      SIGNUP: 'domains:example.com',
      SMTP_URL: 'smtp://127.0.0.1:1',
    };

    expect(await methodsOf({ ...google, ...settings })).toMatchObject({
      password: false,
      otp: false,
      magic_link: true,
      mail: true,
      providers: [{ name: 'google', label: 'Google' }],
      signup: 'domains',
    });
  });
});
