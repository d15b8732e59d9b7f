import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, Child, migratedDatabase, production, SECRETS } from './support/child-service.js';
import { collect } from './support/raw-http.js';
import type { TestDatabase } from './support/test-database.js';

const LIMIT_MS = 10_000;

describe('Stopping the service', () => {
  let database: TestDatabase;
  let child: Child;
  let address: string;

  beforeEach(async () => {
    database = await migratedDatabase();
    child = new Child('main.js', [], production(database));
    address = await child.address();
  }, 60_000);

  afterEach(async () => {
    await child.kill('SIGKILL');
    await database.drop();
  });

  const open = (): Socket => connect(Number(new URL(address).port), '127.0.0.1');
  const head = (length: number) =>
    `POST /api/cms/post HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${SECRETS.token}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  async function stop(signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): Promise<number> {
    const start = Date.now();
    expect(await child.kill(signal)).toMatchObject({ code: 0, signal: null });
    return Date.now() - start;
  }

  it.each(['SIGTERM', 'SIGINT'] as const)('ends at once with 0 on %s when nothing is going on', async (signal) => {
    expect(await stop(signal)).toBeLessThan(2_000);
    expect(child.log.map(({ msg }) => msg)).toEqual(expect.arrayContaining(['stopping', 'stopped']));
  });

  it('answers every request that it has accepted', async () => {
    const creates = Array.from({ length: 60 }, (_, n) =>
      call(address, 'POST', '/api/cms/post', { title: `Last ${n}` }),
    );
    await sleep(30);

    const [results] = await Promise.all([Promise.allSettled(creates), stop()]);

    expect(results.map((result) => ('value' in result ? result.value.status : String(result.reason.cause)))).toEqual(
      results.map(() => 201),
    );
  });

  it('waits for a body that comes slowly, and says that the connection ends', async () => {
    const body = '{"title":"Slowly"}';
    const socket = open();
    socket.write(head(body.length) + body.slice(0, 5));
    await sleep(200);
    const stopped = stop();
    await sleep(1_000);
    socket.write(body.slice(5));

    const { answers, isClosed } = await collect(socket);

    expect(answers.map(({ status }) => status)).toEqual([201]);
    expect(isClosed).toBe(true);
    expect(await stopped).toBeLessThan(4_000);
  });

  it('takes no new connections, and tells whoever still reaches it that it is not ready', async () => {
    const body = '{"title":"Slowly"}';
    const [busy, second] = [open(), open()];
    busy.write(head(body.length));
    second.write('GET /health/ready HTTP/1.1\r\nHost: x\r\n');
    await sleep(200);
    const stopped = stop();
    await sleep(800);

    await expect(call(address, 'GET', '/health/live')).rejects.toThrow();
    second.write('\r\n');
    const { answers } = await collect(second);
    busy.write(body);

    expect(answers[0]).toMatchObject({ status: 503, body: { error: 'not_ready' }, headers: { connection: 'close' } });
    expect((await collect(busy)).answers[0]?.status).toBe(201);
    await stopped;
  });

  it('still answers new connections for a moment, so that a load balancer sees what is coming', async () => {
    const stopped = stop();
    await sleep(200);

    const answer = await call(address, 'GET', '/health/ready');

    expect([answer.status, answer.headers.get('connection')]).toEqual([503, 'close']);
    await stopped;
  });

  it('does not wait for clients that keep a connection and send nothing', async () => {
    const idle = open();
    idle.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => idle.once('data', resolve));

    expect(await stop()).toBeLessThan(2_000);
    idle.destroy();
  });

  it('waits 10 s at most for clients that never finish', async () => {
    const sockets = [open(), open(), open()];
    sockets[0]?.write(head(100));
    sockets[1]?.write('GET /health/live HTTP/1.1\r\n');
    for (const socket of sockets) socket.on('error', () => undefined);
    await sleep(200);

    expect(await stop()).toBeLessThan(LIMIT_MS);
  });

  it('ends connections of clients that never stop asking, and breaks none of their requests', async () => {
    let isStopping = false;
    let answered = 0;
    const clients = Array.from({ length: 8 }, async () => {
      const statuses: number[] = [];
      for (;;) {
        try {
          const { status, headers } = await call(address, 'POST', '/api/cms/post', { title: 'More' });
          statuses.push(status);
          answered += 1;
          if (headers.get('connection') === 'close' || isStopping) return statuses;
        } catch {
          return statuses;
        }
      }
    });
    while (answered < 24) await sleep(20);
    isStopping = true;

    expect(await stop()).toBeLessThan(4_000);
    const statuses = (await Promise.all(clients)).flat();
    expect(statuses.length).toBeGreaterThan(8);
    expect(new Set(statuses)).toEqual(new Set([201]));
  });
});
