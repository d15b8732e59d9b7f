import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { collect, sendRaw, type RawExchange } from '../support/raw-http.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

const MIB = 1_048_576;
const LIVE = 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

describe('A request that is refused by its headers', () => {
  let service: TestApp;
  let port: number;

  beforeAll(async () => {
    service = await startTestApp();
    ({ port } = service.app.getHttpServer().address() as AddressInfo);
  });

  afterAll(() => service.close());

  const head = (target: string, ...lines: string[]) =>
    [`${target} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', ...lines, '', ''].join('\r\n');
  const bearer = `Authorization: Bearer ${TOKENS.admin}`;
  const length = (body: string | Buffer) => `Content-Length: ${Buffer.byteLength(body)}`;
  const statuses = ({ answers }: RawExchange) => answers.map(({ status }) => status);

  /** A connection over which the answer to its head has come, whose body has not been sent yet. */
  async function answered(...lines: string[]): Promise<[Socket, string]> {
    const socket = connect(port, '127.0.0.1');
    socket.write(head('POST /api/cms/post', ...lines));
    const [first] = (await once(socket, 'data')) as [Buffer];
    return [socket, first.toString()];
  }

  const BODIES: readonly [string, string | Buffer, ...string[]][] = [
    ['malformed', '{"title":'],
    ['forbidden', '{"__proto__":1}'],
    ['too long', 'x'.repeat(5 * MIB)],
    ['packed', gzipSync('0,'.repeat(MIB)), 'Content-Encoding: gzip'],
    ['of many values', `[${'0,'.repeat(520_000)}0]`],
  ];

  it.each(BODIES)('is answered 401, 404, 405 or 403 and not for its body: %s', async (_, body, ...lines) => {
    const send = async (target: string, ...more: string[]) =>
      statuses(await sendRaw(port, head(target, length(body), ...lines, ...more), body, LIVE));

    expect(await send('POST /api/cms/post')).toEqual([401, 200]);
    expect(await send('POST /api/cms/post', 'Authorization: Bearer wrong')).toEqual([401, 200]);
    expect(await send('POST /nothing/here')).toEqual([404, 200]);
    expect(await send('POST /health/live')).toEqual([405, 200]);
    expect(await send('PUT /api/cms/post/-/trash', bearer)).toEqual([405, 200]);
    expect(await send('POST /api/cms/post', `Authorization: Bearer ${TOKENS.reader}`)).toEqual([403, 200]);
    expect(await send('POST /api/cms/__proto__', bearer)).toEqual([404, 200]);
    expect(await send('POST /api/cms/post?colour=red', bearer)).toEqual([400, 200]);
  });

  it('is answered before its body has come, and the connection goes on behind the body', async () => {
    for (const [line, body] of [
      ['Content-Length: 5', '{"a":'],
      ['Transfer-Encoding: chunked', '5\r\n{"a":\r\n0\r\n\r\n'],
    ] as const) {
      const [socket, first] = await answered(line);
      expect(first).toMatch(/^HTTP\/1\.1 401 /);

      socket.write(body + LIVE);

      expect(statuses(await collect(socket))).toEqual([200]);
    }
  });

  it('is answered once, also where the body never comes', async () => {
    const accepted = once(service.app.getHttpServer(), 'connection') as Promise<[Socket]>;
    const [socket] = await answered('Content-Length: 5');
    const late = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    service.app.getHttpServer().emit('clientError', late, (await accepted)[0]);

    expect(await collect(socket)).toEqual({ answers: [], isClosed: true });
  });

  it.each(['HTTP/1.0', 'HTTP/1.1'])('gets its answer before a connection of %s is closed', async (version) => {
    const body = Buffer.alloc(8 * MIB, 'x');
    const lines = head('POST /api/cms/post', length(body), 'Connection: close').replace('HTTP/1.1', version);

    const exchange = await sendRaw(port, lines, body);

    expect(statuses(exchange)).toEqual([401]);
    expect(exchange.isClosed).toBe(true);
  });

  it('is not asked for the body that its client keeps back', async () => {
    const expecting = (size: number) => [`Content-Length: ${size}`, 'Expect: 100-continue'];
    const anonymous = await sendRaw(port, head('POST /api/cms/post', ...expecting(5)));
    const unknown = await sendRaw(port, head('POST /nothing', ...expecting(5)));
    const long = await sendRaw(port, head('POST /api/cms/post', bearer, ...expecting(4 * MIB + 1)));

    expect([anonymous, unknown, long].map(statuses)).toEqual([[401], [404], [413]]);
    for (const { answers, isClosed } of [anonymous, unknown, long]) {
      expect([answers[0]?.headers.connection, isClosed]).toEqual(['close', true]);
    }
  });

  it('is asked for it where it is let through', async () => {
    const body = '{"title":"Asked for"}';
    const [socket, first] = await answered(bearer, length(body), 'Expect: 100-continue');
    expect(first).toBe('HTTP/1.1 100 Continue\r\n\r\n');

    socket.write(body + LIVE);

    expect(statuses(await collect(socket))).toEqual([201, 200]);
  });

  it('leaves a body unread that a route takes none of', async () => {
    const { body } = await service.http().post('/api/cms/post').send({ title: 'Restored' }).expect(201);
    await service.http().delete(`/api/cms/post/${body.data.id}`).expect(204);

    const exchange = await sendRaw(
      port,
      head(`POST /api/cms/post/${body.data.id}/restore`, bearer, 'Content-Length: 5'),
      '{"a":',
      LIVE,
    );

    expect(statuses(exchange)).toEqual([200, 200]);
  });
});

describe('Limits on requests count those whose body is refused', () => {
  it.each<[string, number, string | Buffer, Record<string, string>]>([
    ['malformed', 400, '{"refresh_token":', {}],
    ['too long', 413, 'x'.repeat(16_385), {}],
    ['of another type', 415, 'x', { 'Content-Type': 'text/plain' }],
    ['packed', 415, gzipSync('{}'), { 'Content-Encoding': 'gzip' }],
    ['with a NUL', 422, '{"refresh_token":"\\u0000"}', {}],
  ])('as %s', async (_, status, body, headers) => {
    const service = await startTestApp({ RATE_LIMITS: 'auth=3' });
    const ask = () =>
      service
        .anonymous()
        .post('/api/auth/refresh')
        .set({ 'Content-Type': 'application/json', ...headers })
        .serialize((value: unknown) => value as string)
        .send(body);

    const found = [await ask(), await ask(), await ask(), await ask()];

    expect(found.map((answer) => answer.status)).toEqual([status, status, status, 429]);
    expect(found.at(-1)?.headers['ratelimit-remaining']).toBe('0');
    await service.close();
  });
});
