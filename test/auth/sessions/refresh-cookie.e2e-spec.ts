import type { Response } from 'supertest';
import { RefreshTokens } from '../../../src/auth/tokens/refresh/refresh-tokens.js';
import { expectError } from '../../support/errors.js';
import { formerRefreshToken } from '../../support/former-refresh-token.js';
import { aPerson, PASSWORD, signedIn, type Person } from '../../support/sign-in.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const FORMER = '__Secure-cms_refresh';
const FORMER_TAKEN_AWAY = `${FORMER}=; Max-Age=0; Path=/api/auth; HttpOnly; SameSite=Strict; Secure`;

describe('The cookie of the refresh token', () => {
  let service: TestApp;
  let ann: Person;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off', PUBLIC_URL: 'https://cms.example.com' });
    ann = await aPerson(service);
  });

  afterAll(() => service.close());

  const post = (path: string, cookie: string) => service.anonymous().post(`/api/auth/${path}`).set('Cookie', cookie);
  const loginByCookie = () =>
    service.anonymous().post('/api/auth/login').send({ email: ann.email, password: PASSWORD, mode: 'cookie' });
  const cookieOf = ({ headers }: Response): string => String(headers['set-cookie']).split(';')[0] ?? '';
  const former = async () => formerRefreshToken(service, (await signedIn(service, ann)).refresh_token);
  const sessionOf = (cookie: string) => service.app.get(RefreshTokens).read(cookie.split('=')[1] ?? '')?.sessionId;

  it('is one that no sibling domain can set', async () => {
    const { headers } = await loginByCookie();

    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-cms_refresh=cmsr_[\w-]{51}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
      ),
      FORMER_TAKEN_AWAY,
      expect.stringMatching(/^__Host-cms_device=/),
    ]);
  });

  describe('as earlier versions have set it', () => {
    it('is replaced by that of today, and the session goes on', async () => {
      const answer = await post('refresh', `${FORMER}=${await former()}`).expect(200);

      expect(answer.headers['set-cookie']).toContain(FORMER_TAKEN_AWAY);
      expect(cookieOf(answer)).toMatch(/^__Host-cms_refresh=cmsr_/);
      await post('refresh', cookieOf(answer)).expect(200);
    });

    it('signs out', async () => {
      const cookie = `${FORMER}=${await former()}`;

      const answer = await post('logout', cookie).expect(204);

      expect(answer.headers['set-cookie']).toContain(FORMER_TAKEN_AWAY);
      expectError(await post('refresh', cookie), 'invalid_refresh_token');
    });

    it('is not looked at beside that of today', async () => {
      const cookie = cookieOf(await loginByCookie());

      const answer = await post('refresh', `${FORMER}=${await former()}; ${cookie}`).expect(200);

      expect(sessionOf(cookieOf(answer))).toBe(sessionOf(cookie));
    });

    it('holds no token of today, which a sibling domain may have got for itself', async () => {
      const { refresh_token: token } = await signedIn(service, ann);

      expectError(await post('refresh', `${FORMER}=${token}`), 'invalid_refresh_token');
    });
  });

  it('leaves apps the refresh tokens of earlier versions', async () => {
    const body = { refresh_token: await former() };

    const answer = await service.anonymous().post('/api/auth/refresh').send(body).expect(200);

    expect(sessionOf(`=${answer.body.refresh_token}`)).toBe(sessionOf(`=${body.refresh_token}`));
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
