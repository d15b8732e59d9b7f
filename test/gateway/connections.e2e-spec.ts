import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { readSettings } from '../../src/config/settings.js';
import { expectError } from '../support/errors.js';
import { sendRaw } from '../support/raw-http.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

describe('What a gateway needs of connections', () => {
  it('is 75 s of keeping, 120 s of idling and 32 KiB of headers', async () => {
    const service = await startTestApp();
    const server = service.app.getHttpServer();

    expect([server.keepAliveTimeout, server.timeout]).toEqual([75_000, 120_000]);
    expect(server).toHaveProperty('maxHeaderSize', 32_768);
    await service.close();
  });

  it.each(['0', '7201'])('KEEP_ALIVE_S may not be %s', (KEEP_ALIVE_S) => {
    expect(() => readSettings('demo', { KEEP_ALIVE_S })).toThrow('KEEP_ALIVE_S');
  });

  it.each(['Authorization', 'X-Forwarded-For', 'Cookie', 'x_token', 'X-Request-Id', 'X-Auth-Subject', 'token'])(
    'TOKEN_HEADER is refused as %s',
    (name) => {
      expect(() => readSettings('demo', { TOKEN_HEADER: name })).toThrow('TOKEN_HEADER=X-Content-Token');
    },
  );
});

describe('Settings of connections', () => {
  let service: TestApp;
  let port: number;

  beforeAll(async () => {
    service = await startTestApp({
      KEEP_ALIVE_S: '620',
      CORS_ORIGINS: 'https://a.example',
      TOKEN_HEADER: 'X-Content-Token',
    });
    service.app.getHttpServer().timeout = 1_000;
    ({ port } = service.app.getHttpServer().address() as AddressInfo);
  });

  afterAll(() => service.close());

  it('are used', async () => {
    const long = (kib: number) => `GET /health/live HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(kib * 1_024)}\r\n\r\n`;

    const [fits, tooLong] = [await sendRaw(port, long(30)), await sendRaw(port, long(40))];

    expect(service.app.getHttpServer().keepAliveTimeout).toBe(620_000);
    expect(fits.answers.map(({ status }) => status)).toEqual([200]);
    expect(tooLong.answers.map(({ status, body }) => [status, body?.message])).toEqual([
      [431, 'The headers are longer than 32 KiB.'],
    ]);
  });

  it('cut a client that has gone silent in the middle of a request', async () => {
    const silent = connect(port, '127.0.0.1');
    silent.on('error', () => undefined);
    silent.write(
      `POST /api/cms/post HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKENS.admin}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    );

    silent.resume();
    await once(silent, 'close');

    // A request that takes its 30 s is answered with 408.
    expect(silent.bytesRead).toBe(0);
  });

  it('take a token of 16,384 characters as one', async () => {
    const longest = 'x'.repeat(16_384);

    const answers = await Promise.all(
      [longest, `${longest}x`].map((token) =>
        service.anonymous().get('/api/cms/post').set('Authorization', `Bearer ${token}`),
      ),
    );

    for (const answer of answers) expectError(answer, 'invalid_token');
  });

  describe('with a header for tokens', () => {
    const ask = (headers: Record<string, string>) => service.anonymous().get('/api/cms/post').set(headers);
    const good = TOKENS.reader;

    it.each<[string, Record<string, string>, number]>([
      ['a good token there', { 'X-Content-Token': good }, 200],
      [
        'a good token there, and another scheme of the gateway',
        { 'X-Content-Token': good, Authorization: 'Basic eDp5' },
        200,
      ],
      [
        'a good token there, and a bearer token of the gateway',
        { 'X-Content-Token': good, Authorization: 'Bearer eyJhbGciOiJFUzI1NiJ9.e30.c2ln' },
        200,
      ],
      [
        'a bad token there, and a good one in Authorization',
        { 'X-Content-Token': 'bad', Authorization: `Bearer ${good}` },
        401,
      ],
      [
        'nothing there, and a good one in Authorization',
        { 'X-Content-Token': '', Authorization: `Bearer ${good}` },
        200,
      ],
      ['a token with its scheme', { 'X-Content-Token': `Bearer ${good}` }, 401],
      ['Authorization only', { Authorization: `Bearer ${good}` }, 200],
      ['neither', {}, 401],
    ])('%s', async (_, headers, status) => {
      expect((await ask(headers)).status).toBe(status);
    });

    it.each<Record<string, string>>([
      { Authorization: 'Basic eDp5' },
      { Authorization: 'Negotiate eDp5', 'X-Content-Token': '' },
    ])('what the gateway asks of clients for itself is no token: %j', async (headers) => {
      expectError(await ask(headers), 'unauthorized');
      expectError(await service.anonymous().get('/api/auth/oidc/redirect').set(headers), 'provider_not_configured');
    });

    it('caches know that answers differ by it, and pages may send it', async () => {
      const answer = await ask({ 'X-Content-Token': good });
      const preflight = await service.anonymous().options('/api/cms/post').set({
        Origin: 'https://a.example',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'x-content-token',
      });

      expect(answer.headers.vary).toBe('Origin, Authorization, x-content-token');
      expect(preflight.headers['access-control-allow-headers']).toBe('x-content-token');
    });
  });
});
