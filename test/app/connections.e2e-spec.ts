import { Agent, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expectError } from '../support/errors.js';
import { waitFor } from '../support/mailbox.js';
import { collect, sendRaw, type RawExchange } from '../support/raw-http.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

const AUTHORIZATION = `Authorization: Bearer ${TOKENS.admin}`;
const LIVE = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';
const UUID = /^[0-9a-f-]{36}$/;

/** A create with a title of its own, as bytes. */
function create(title: string): string {
  const body = JSON.stringify({ title });
  return [
    'POST /api/cms/post HTTP/1.1',
    'Host: x',
    AUTHORIZATION,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

const statuses = ({ answers }: RawExchange): number[] => answers.map(({ status }) => status);

describe('Connections', () => {
  let service: TestApp;
  let server: Server;
  let port: number;

  beforeAll(async () => {
    service = await startTestApp();
    server = service.app.getHttpServer();
    ({ port } = server.address() as AddressInfo);
  });

  afterAll(() => service.close());
  afterEach(() => service.anonymous().get('/health/live').expect(200));

  it('outlive the idle time of any gateway, and have little time for headers and bodies', () => {
    expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
    expect(server.headersTimeout).toBe(15_000);
    expect(server.requestTimeout).toBe(30_000);
    expect(server).toHaveProperty('connectionsCheckingInterval', 5_000);
  });

  it.each([
    ['a line that is no request', 'hello\r\n\r\n'],
    ['a method that HTTP does not know', 'BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a version that HTTP does not know', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nBad\r\n\r\n'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost : x\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n'],
    ['a header on two lines', 'GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n'.replace('\r\n b', '\n\x00b')],
    ['two lengths', `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    [
      'a length and chunks',
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'chunks that are not the last coding',
      'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
    ],
    ['a length that is no number', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
    ['a length with a plus', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +2\r\n\r\n{}'],
    ['TLS', Buffer.from('16030100a5010000a10303', 'hex').toString('latin1')],
  ])('answer %s with 400 in JSON and end', async (_, bytes) => {
    const { answers, isClosed } = await sendRaw(port, Buffer.from(bytes, 'latin1'));

    const [answer] = answers;
    expect(answers).toHaveLength(1);
    expectError(answer as unknown as Parameters<typeof expectError>[0], 'malformed_request');
    expect(answer?.headers).toMatchObject({ connection: 'close', 'x-request-id': expect.stringMatching(UUID) });
    expect(isClosed).toBe(true);
  });

  it('do not let a request hide in the body of another one', async () => {
    const hidden = 'GET /api/cms/post HTTP/1.1\r\nHost: x\r\n\r\n';
    const smuggled = [
      `POST /api/cms/post HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
      `POST /api/cms/post HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${hidden}`,
      `POST /api/cms/post HTTP/1.1\r\nHost: x\r\nTransfer-Encoding:\vchunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${hidden}`,
      `POST /api/cms/post HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0;\n\r\n${hidden}`,
    ];

    for (const bytes of smuggled) {
      const { answers, isClosed } = await sendRaw(port, bytes);
      expect([answers.map(({ status }) => status), isClosed]).toEqual([[400], true]);
    }
  });

  it('answer headers of more than 32 KiB with 431, in one piece and in many', async () => {
    const one = await sendRaw(port, `GET / HTTP/1.1\r\nHost: x\r\nX-Bomb: ${'x'.repeat(200_000)}\r\n\r\n`);
    const many = await sendRaw(
      port,
      'GET / HTTP/1.1\r\nHost: x\r\n',
      ...Array.from({ length: 2_000 }, (_, n) => `X-${n}: ${'x'.repeat(20)}\r\n`),
    );

    expect([statuses(one), statuses(many)]).toEqual([[431], [431]]);
    expect(one.answers[0]?.body?.error).toBe('headers_too_large');
  });

  it('meet the expectation of 100-continue before they read the body', async () => {
    const body = '{"title":"Expected"}';
    const socket = connect(port, '127.0.0.1');
    socket.write(
      create('')
        .replace('\r\n\r\n{"title":""}', '')
        .replace(/Content-Length: \d+/, `Content-Length: ${body.length}`),
    );
    socket.write('\r\nExpect: 100-continue\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    socket.write(body);

    expect(statuses(await collect(socket))).toEqual([201]);
  });

  it('answer any other expectation with 417', async () => {
    const { answers } = await sendRaw(port, create('x').replace('Host: x', 'Host: x\r\nExpect: tea'));

    expectError(answers[0] as unknown as Parameters<typeof expectError>[0], 'expectation_failed');
  });

  it('answer requests that come in one packet, each with its own answer and in order', async () => {
    const titles = Array.from({ length: 20 }, (_, n) => `Packet ${n}`);

    const { answers } = await sendRaw(port, titles.map(create).join('') + LIVE);

    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(20).fill(201), 200]);
    expect(answers.slice(0, 20).map(({ body }) => (body as { data: { title: string } }).data.title)).toEqual(titles);
  });

  it('go on after an error of the service and end after one of the protocol', async () => {
    const refused = create('x').replace('{"title":"x"}', '{"title":"x",'.slice(0, 13));
    const exchange = await sendRaw(port, LIVE, refused, LIVE.replace('live', 'nothing'), LIVE);

    expect(statuses(exchange)).toEqual([200, 400, 404, 200]);

    const socket = connect(port, '127.0.0.1');
    socket.write(LIVE);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.write('nonsense\r\n\r\n');
    const { answers, isClosed } = await collect(socket);
    expect([answers.map(({ status }) => status), isClosed]).toEqual([[400], true]);
  });

  it('answer nonsense after the requests before it, and not in their place', async () => {
    const { answers, isClosed } = await sendRaw(port, `${create('One')}${create('Two')}nonsense\r\n\r\n`);

    expect([answers.map(({ status }) => status), isClosed]).toEqual([[201, 201, 400], true]);
  });

  it('serve HTTP/1.0, and end unless asked to stay', async () => {
    const ended = await sendRaw(port, 'GET /health/live HTTP/1.0\r\n\r\n');
    const kept = await sendRaw(port, 'GET /health/live HTTP/1.0\r\nConnection: keep-alive\r\n\r\n');

    expect([statuses(ended), ended.isClosed]).toEqual([[200], true]);
    expect([statuses(kept), kept.isClosed]).toEqual([[200], false]);
  });

  it('ask for a host in HTTP/1.1', async () => {
    expect(statuses(await sendRaw(port, 'GET /health/live HTTP/1.1\r\n\r\n'))).toEqual([400]);
  });

  it('are used again for the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = () =>
      new Promise<number | undefined>((resolve, reject) => {
        const outgoing = httpRequest(
          { port, host: '127.0.0.1', path: '/health/live', agent },
          (answer: IncomingMessage) => {
            answer.resume().on('end', () => {
              resolve(outgoing.socket?.localPort);
            });
          },
        );
        outgoing.on('error', reject).end();
      });

    const ports = [];
    for (let n = 0; n < 5; n += 1) ports.push(await send());

    expect(new Set(ports).size).toBe(1);
    agent.destroy();
  });

  it('that break off in the middle of a body write nothing', async () => {
    const count = async () => (await service.http().get('/api/cms/post?per_page=1')).body.meta.total as number;
    const before = await count();

    for (const part of ['{"title":"Broken off"', '{"title":"Broken off"}   ']) {
      const socket = connect(port, '127.0.0.1');
      const arrived = once(server, 'request');
      socket.write(
        create('x')
          .replace(/Content-Length: \d+/, 'Content-Length: 400')
          .replace('{"title":"x"}', part),
      );
      const [request] = (await arrived) as [IncomingMessage];
      const closed = new Promise((resolve) => request.once('close', resolve));
      socket.destroy();
      await closed;
    }

    expect(await count()).toBe(before);
  });

  it('that break off while the answer is made do no harm', async () => {
    let gone = 0;
    const count = (socket: Socket) => socket.on('close', () => (gone += 1));
    server.on('connection', count);
    for (let n = 0; n < 20; n += 1) {
      const socket = connect(port, '127.0.0.1');
      socket.write(create(`Gone ${n}`), () => socket.destroy());
      socket.on('error', () => undefined);
    }
    await waitFor(() => Promise.resolve(gone === 20 || null), 'the end of the connections');
    server.off('connection', count);

    expect(statuses(await sendRaw(port, LIVE))).toEqual([200]);
  });

  it('stay plain HTTP when a client asks for another protocol', async () => {
    const upgrade = LIVE.replace('Host: x', 'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket');

    expect(statuses(await sendRaw(port, upgrade))).toEqual([200]);
    expect((await sendRaw(port, 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n')).isClosed).toBe(true);
  });
});
