import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Child, production, SECRETS } from '../support/child-service.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import type { TestDatabase } from '../support/test-database.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const TRACE = `00-${TRACE_ID}-b7ad6b7169203331-01`;

describe('A traceparent', () => {
  let database: TestDatabase;
  let child: Child;
  let others: Server;
  let asked: (string | undefined)[];

  beforeAll(async () => {
    asked = [];
    others = createServer((request, response) => {
      asked.push(request.headers.traceparent as string | undefined);
      response.end('');
    }).listen(0, '127.0.0.1');
    await once(others, 'listening');
    database = await createMigratedDatabase();
    child = new Child('main.js', [], {
      ...production(database),
      PWNED_CHECK: `http://127.0.0.1:${String((others.address() as AddressInfo).port)}/`,
    });
  });

  afterAll(async () => {
    await child.kill('SIGKILL');
    others.close();
    await database.drop();
  });

  async function send(method: string, path: string, traceparent: string | null, body?: object): Promise<Response> {
    return fetch(`${await child.address()}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${SECRETS.token}`,
        'Content-Type': 'application/json',
        ...(traceparent === null ? {} : { traceparent }),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  }

  /** The line of a request, once it is written. */
  async function lineOf(answer: Response): Promise<Record<string, unknown>> {
    const id = answer.headers.get('x-request-id');
    for (;;) {
      const line = child.log.find(({ request_id, status }) => request_id === id && status !== undefined);
      if (line) return line;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  it('is in the line of its request', async () => {
    const { trace_id } = await lineOf(await send('GET', '/api/cms/post', TRACE));

    expect(trace_id).toBe(TRACE_ID);
  });

  it('is passed over where it is not valid, and none is made up', async () => {
    const bad = await lineOf(await send('GET', '/api/cms/post', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`));
    const none = await lineOf(await send('GET', '/api/cms/post', null));

    expect([bad, none].map((line) => 'trace_id' in line)).toEqual([false, false]);
  });

  it('goes on to services that are asked for the request, and to no other', async () => {
    const user = (n: number) => ({
      email: `u${String(n)}@example.com`,
      name: 'U',
      role: 'viewer',
      password: 'correct horse 81',
    });

    expect((await send('POST', '/api/users', TRACE, user(1))).status).toBe(201);
    expect((await send('POST', '/api/users', null, user(2))).status).toBe(201);

    expect(asked).toEqual([TRACE, undefined]);
  });
});
