import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, Child, production, SECRETS } from '../support/child-service.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import { collect } from '../support/raw-http.js';
import type { TestDatabase } from '../support/test-database.js';

describe('Stopping the service', () => {
  let database: TestDatabase;
  let child: Child;
  let address: string;

  beforeEach(async () => {
    database = await createMigratedDatabase();
    child = new Child('main.js', [], production(database));
    address = await child.address();
  });

  afterEach(async () => {
    await child.kill('SIGKILL');
    await database.drop();
  });

  const open = (): Socket => connect(Number(new URL(address).port), '127.0.0.1');
  const head = (length: number) =>
    `POST /api/cms/post HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${SECRETS.token}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  /** A connection that the service will find, with the first bytes on it. */
  async function opened(bytes: string): Promise<Socket> {
    const socket = open();
    await new Promise<void>((resolve) => {
      socket.write(bytes, () => {
        resolve();
      });
    });
    return socket;
  }

  /** How many connections the stop broke off, since their clients took too long. */
  async function stop(signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): Promise<number> {
    expect(await child.kill(signal)).toMatchObject({ code: 0, signal: null });
    const line = child.log.find(
      ({ msg }) => msg === 'connections are ended before their answer: the stop waits no longer',
    );
    return Number(line?.connections ?? 0);
  }

  /** Until new connections are refused, as the port is free again. A connection would make the service wait on. */
  async function refused(): Promise<void> {
    const isTaken = () =>
      new Promise<boolean>((resolve) => {
        const server = createServer().listen(Number(new URL(address).port), '127.0.0.1');
        server.once('error', () => {
          resolve(true);
        });
        server.once('listening', () =>
          server.close(() => {
            resolve(false);
          }),
        );
      });
    while (await isTaken()) await sleep(20);
    await expect(call(address, 'GET', '/health/live')).rejects.toThrow();
  }

  it.each(['SIGTERM', 'SIGINT'] as const)('ends at once with 0 on %s when nothing is going on', async (signal) => {
    expect(await stop(signal)).toBe(0);
    expect(child.log.map(({ msg }) => msg)).toEqual(expect.arrayContaining(['stopping', 'stopped']));
  });

  it('answers every request that it has accepted', async () => {
    const creates = Array.from({ length: 60 }, (_, n) =>
      call(address, 'POST', '/api/cms/post', { title: `Last ${n}` }),
    );
    await Promise.race(creates);

    const [results] = await Promise.all([Promise.allSettled(creates), stop()]);

    expect(results.map((result) => ('value' in result ? result.value.status : String(result.reason.cause)))).toEqual(
      results.map(() => 201),
    );
  });

  it('waits for a body that comes slowly, and says that the connection ends', async () => {
    const body = '{"title":"Slowly"}';
    const socket = await opened(head(body.length) + body.slice(0, 5));
    const stopped = stop();
    await refused();
    socket.write(body.slice(5));

    const { answers, isClosed } = await collect(socket);

    expect(answers.map(({ status }) => status)).toEqual([201]);
    expect(isClosed).toBe(true);
    expect(await stopped).toBe(0);
  });

  it('takes no new connections, and answers on open ones that it is not ready', async () => {
    const body = '{"title":"Slowly"}';
    const busy = await opened(head(body.length));
    const second = await opened('GET /health/ready HTTP/1.1\r\nHost: x\r\n');
    const stopped = stop();

    await refused();
    second.write('\r\n');
    const { answers } = await collect(second);
    busy.write(body);

    expect(answers[0]).toMatchObject({ status: 503, body: { error: 'not_ready' }, headers: { connection: 'close' } });
    expect((await collect(busy)).answers[0]?.status).toBe(201);
    await stopped;
  });

  it('still answers new connections for a moment, so that a load balancer sees what is coming', async () => {
    const ask = () => call(address, 'GET', '/health/ready');
    const stopped = stop();
    while ((await ask()).status === 200);

    const answer = await ask(); // over a connection of its own, since the last one has ended

    expect([answer.status, answer.headers.get('connection')]).toEqual([503, 'close']);
    await stopped;
  });

  it('does not wait for clients that keep a connection and send nothing', async () => {
    const idle = open();
    idle.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => idle.once('data', resolve));

    expect(await stop()).toBe(0);
    idle.destroy();
  });

  it('does not wait for ever for clients that never finish', async () => {
    const unfinished = [head(100), 'GET /health/live HTTP/1.1\r\n', 'GET '];
    const sockets = await Promise.all(unfinished.map(opened));
    for (const socket of sockets) socket.on('error', () => undefined);
    // Once a later request is answered, the service has read those before it: a connection without a byte is idle.
    await call(address, 'GET', '/health/live');

    expect(await stop()).toBe(3);
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

    expect(await stop()).toBe(0);
    const statuses = (await Promise.all(clients)).flat();
    expect(statuses.length).toBeGreaterThan(8);
    expect(new Set(statuses)).toEqual(new Set([201]));
  });
});
