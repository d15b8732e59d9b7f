import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { call, Child, production, SECRETS } from '../support/child-service.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import { waitFor } from '../support/mailbox.js';
import type { TestDatabase } from '../support/test-database.js';

const READERS = 500;
const MOST = 450;
/** About four megabytes of JSON: more than the system takes off the service for a reader who does not read. */
const PATH = '/api/cms/post?per_page=100';
const MIB = 1_048_576;
/** What is on its way to all readers together has 128 MiB; the rest is the service itself, and what waits for its turn. */
const MOST_MIB = 700;

describe('500 readers of long lists who read nothing', () => {
  let database: TestDatabase;
  let service: Child;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    database = await createMigratedDatabase();
    service = new Child('main.js', [], { ...production(database), MAX_REQUESTS: String(MOST) });
  });

  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await service.kill('SIGTERM');
    await database.drop();
  });

  function reader(port: number): Promise<{ readonly status: string; readonly socket: Socket }> {
    return new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' });
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${SECRETS.token}\r\n\r\n`);
      const settle = (status: string) => {
        socket.pause();
        resolve({ status, socket });
      };
      socket.once('data', (chunk: Buffer) => {
        settle(chunk.subarray(9, 12).toString());
      });
      socket.once('close', () => {
        settle('cut');
      });
    });
  }

  const residentMib = () => {
    const [, kib = '0'] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8')) ?? [];
    return (Number(kib) * 1_024) / MIB;
  };

  it('are answered or refused, take a bounded part of the memory, and end', async () => {
    const address = await service.address();
    for (let n = 0; n < 12; n += 1) {
      const created = await call(address, 'POST', '/api/cms/post', {
        title: `Long ${n}`,
        body: 'x'.repeat(900_000),
        status: 'published',
      });
      expect(created.status).toBe(201);
    }
    const port = Number(new URL(address).port);

    const answers = await Promise.all(Array.from({ length: READERS }, () => reader(port)));

    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === '503').length).toBeGreaterThanOrEqual(READERS - MOST);
    expect(statuses).toContain('200');
    expect((await fetch(`${address}/health/ready`)).status).toBe(200);
    const peak = residentMib();
    process.stdout.write(`Peak of the resident memory: ${Math.round(peak)} MiB\n`);
    expect(peak).toBeLessThan(MOST_MIB);
    for (const { socket } of answers) socket.destroy();
    await waitFor(async () => ((await call(address, 'GET', PATH)).status === 200 ? true : null), 'room');
  });
});
