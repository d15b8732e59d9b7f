import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

const SLOW = 520;
const [ONE, OTHER] = ['192.0.2.1', '198.51.100.1'];

describe('Bodies that do not come', () => {
  const sockets: Socket[] = [];
  /** Those whose body was waited for and did not come in time: on a busy machine the first of a flood give their places back. */
  const over = new Set<Socket>();
  let service: TestApp;

  const start = async (rateLimits: 'on' | 'off') => {
    service = await startTestApp({ MAX_REQUESTS: '512', TRUST_PROXY: '127.0.0.0/8', RATE_LIMITS: rateLimits });
  };

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    over.clear();
    await service.close();
  });

  /** @returns the first line of what the service says: that it waits for the body, or that it refuses the request */
  async function first(path: string, headers: string): Promise<string> {
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\nContent-Length: 40\r\nExpect: 100-continue\r\n` +
        'Content-Type: application/json\r\n\r\n',
    );
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    socket.on('data', () => over.add(socket));
    return bytes.toString('latin1').split(' ', 2)[1] ?? '';
  }

  async function flood(path: string, headers: string): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    const all = await Promise.all(Array.from({ length: SLOW }, () => first(path, headers)));
    for (const status of all) counts[status] = (counts[status] ?? 0) + 1;
    // An end that was sent before the last answer has come by then, too.
    await nextTurn();
    return counts;
  }

  async function expectOthersAnswered(): Promise<void> {
    await service.http(TOKENS.reader).get('/api/cms/post').set('X-Forwarded-For', ONE).expect(200);
    await service.anonymous().get('/robots.txt').set('X-Forwarded-For', OTHER).expect(200);
    await service.anonymous().get('/health/ready').expect(200);
  }

  it.each([
    ['an address', '/api/auth/refresh', `X-Forwarded-For: ${ONE}`],
    ['an address with tokens that are none', '/api/auth/logout', `X-Forwarded-For: ${ONE}\r\nAuthorization: Bearer x`],
    ['a token', '/api/cms/post', `Authorization: Bearer ${TOKENS.admin}`],
  ])('hold a quarter of all places, from %s', async (_, path, headers) => {
    await start('off');

    const { 100: waitedFor = 0, 503: refused = 0 } = await flood(path, headers);

    expect(waitedFor + refused).toBe(SLOW);
    expect(waitedFor).toBeGreaterThanOrEqual(128);
    expect(waitedFor - over.size).toBeLessThanOrEqual(128);
    await expectOthersAnswered();
  });

  it.each(['refresh', 'logout'])('are counted before they come: %s', async (route) => {
    await start('on');

    const { 100: waitedFor = 0, 429: refused = 0 } = await flood(`/api/auth/${route}`, `X-Forwarded-For: ${ONE}`);

    // Sixty of the address, and five a second that are looked at all the same.
    expect(waitedFor).toBeGreaterThanOrEqual(60);
    expect(waitedFor - over.size).toBeLessThanOrEqual(128);
    expect(refused).toBeGreaterThan(128);
    await expectOthersAnswered();
  });
});
