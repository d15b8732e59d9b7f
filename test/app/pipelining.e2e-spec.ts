import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Registry } from 'prom-client';
import { waitFor } from '../support/mailbox.js';
import { metricsOf } from '../support/metric-text.js';
import { collect } from '../support/raw-http.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

/** A quarter of the places is what one connection may have under way. */
const PLACES = 64;
const LONG = 'word '.repeat(40_000);

describe('Pipelined requests', () => {
  let service: TestApp;
  let port: number;

  beforeAll(async () => {
    service = await startTestApp({ MAX_REQUESTS: String(PLACES), METRICS_PORT: '0' });
    ({ port } = service.app.getHttpServer().address() as AddressInfo);
    for (let n = 0; n < 5; n += 1) {
      const post = { title: `Post ${n}`, body: LONG, status: 'published' };
      await service.http().post('/api/cms/post').send(post).expect(201);
    }
  });

  afterAll(() => service.close());

  const request = (path: string, token: string = TOKENS.reader): string =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;

  async function inFlight(): Promise<number> {
    const text = await service.app.get(Registry).metrics();
    return metricsOf(text).find(({ name }) => name === 'http_requests_in_flight')?.value ?? NaN;
  }

  const untilInFlight = (isSo: (count: number) => boolean) =>
    waitFor(async () => (isSo(await inFlight()) ? true : null), 'the requests in flight');

  /** A client that sends and does not read. */
  async function sent(text: string): Promise<Socket> {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  }

  it.each(['/health/live', '/x', '/api/cms/post?per_page=100', '/api/cms/post/-/export', '/sitemap.xml'])(
    'give every place back when their client resets the connection: 600 of %s',
    async (path) => {
      const socket = await sent(request(path).repeat(600));
      await once(socket, 'readable');
      socket.resetAndDestroy();

      await untilInFlight((count) => count === 0);
      const list = '/api/cms/post?per_page=100';
      const reads = Array.from({ length: PLACES / 4 }, () => service.http(TOKENS.reader).get(list));
      expect(new Set((await Promise.all(reads)).map(({ status }) => status))).toEqual(new Set([200]));
    },
  );

  it('are sixteen at a time, and all answered in their order', async () => {
    const slow = 'POST /api/cms/post HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 13\r\n';
    const body = 'Content-Length: 13\r\n\r\n{"title":"x"}';
    const create = slow.replace('Content-Length: 13\r\n', `Authorization: Bearer ${TOKENS.editor}\r\n${body}`);
    const socket = await sent(request('/x').repeat(40) + create + request('/health/live'));

    const { answers } = await collect(socket);

    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(40).fill(404), 201, 200]);
  });

  it('wait for one whose answer is not read, and leave places to others', async () => {
    // Two callers: one has no more than a quarter of all places, on however many connections.
    const exports = [TOKENS.reader, TOKENS.editor].map((token) => request('/api/cms/post/-/export', token).repeat(60));
    const sockets = await Promise.all(exports.map(sent));
    await untilInFlight((count) => count >= 32);

    expect(await inFlight()).toBe(32);
    await service.http().get('/api/cms/post').expect(200);
    for (const socket of sockets) socket.resetAndDestroy();
    await untilInFlight((count) => count === 0);
  });
});
