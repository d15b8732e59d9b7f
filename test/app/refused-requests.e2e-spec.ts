import { Audit } from '../../src/audit/audit.js';
import { openDataSource } from '../../src/database/dialect/data-source.js';
import { dialectFor } from '../../src/database/dialect-for.js';
import { expectError } from '../support/errors.js';
import { waitFor } from '../support/mailbox.js';
import { aPerson, signedIn } from '../support/sign-in.js';
import { API_TOKENS, startTestApp, TOKENS, type TestApp } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const GRANTER = 'test-granter-token-0123456789';
const SECRET = 'Kf83hd72Lq0sPzX91vBnMw54Ty';

interface Details {
  readonly requests: number;
  readonly routes: readonly string[];
}

interface Event {
  readonly actor: { readonly name: string } | null;
  readonly details: Details;
}

interface Row {
  readonly reason: string;
  readonly details: string;
}

const detailsOf = ({ details }: Row) => JSON.parse(details) as Details;

describe('A refused request', () => {
  let database: TestDatabase;
  let service: TestApp;
  let isOver: boolean;
  let log: string[];

  beforeEach(async () => {
    isOver = false;
    log = [];
    jest.spyOn(process.stdout, 'write').mockImplementation((line) => log.push(String(line)) > 0);
    database = await createTestDatabase();
    service = await startTestApp({
      API_TOKENS: `${API_TOKENS},granter=${GRANTER};tokens:write`,
      DATABASE_URL: database.url,
      LOG_LEVEL: 'info',
      RATE_LIMITS: 'off',
      TRUST_PROXY: '1',
    });
  });

  afterEach(async () => {
    if (!isOver) await service.close();
    jest.restoreAllMocks();
    await database.drop();
  });

  const written = async (): Promise<Event[]> => {
    await service.app.get(Audit).write();
    return listed();
  };
  const listed = async (): Promise<Event[]> =>
    (await service.http().get('/api/admin/audit?event=request.refused&per_page=100').expect(200)).body.data;
  /** What the database has, oldest first, once the service has stopped. */
  const left = async (): Promise<Row[]> => {
    isOver = true;
    await service.close();
    const source = await openDataSource(dialectFor(database.address).readerOptions());
    try {
      return await source.query<Row[]>("SELECT * FROM auth_events WHERE event = 'request.refused' ORDER BY id");
    } finally {
      await source.destroy();
    }
  };

  it('gets into the audit by itself', async () => {
    const busy = await startTestApp({ DATABASE_URL: database.url }, {}, { repeats: true });
    expectError(await busy.http(TOKENS.reader).get('/api/users/7'), 'insufficient_scope');

    const events = await waitFor(async () => {
      const some = await listed();
      return some.length > 0 ? some : null;
    }, 'the event');
    await busy.close();
    expect(events).toMatchObject([
      {
        outcome: 'failure',
        reason: 'insufficient_scope',
        actor: { kind: 'token', id: null, name: 'reader' },
        user_id: null,
        ip: '127.0.0.1',
        details: { requests: 1, routes: ['GET /api/users/:id'] },
      },
    ]);
  });

  it('is there for users with their session, and for what a handler refuses', async () => {
    const { token } = await signedIn(service, await aPerson(service, { role: 'viewer' }));
    expectError(await service.http(token).get('/api/users'), 'insufficient_scope');
    const wanted = { name: 'more', scopes: ['users:read'] };
    expectError(await service.http(GRANTER).post('/api/admin/tokens').send(wanted), 'insufficient_scope');

    const [granter, user] = await written();
    expect(granter).toMatchObject({ actor: { name: 'granter' }, details: { routes: ['POST /api/admin/tokens'] } });
    expect(user).toMatchObject({ actor: { kind: 'user' }, session_id: expect.stringMatching(/./) as string });
  });

  it('leaves few events where there are 500 in a minute, which name the routes by their patterns', async () => {
    const { mock } = jest.spyOn(service.app.get(Audit), 'sumUp');
    const doors = ['users', 'users/4711', 'admin/audit', 'admin/tokens', 'admin/types'];
    for (let round = 0; round < 50; round += 1) {
      const tries = Array.from({ length: 10 }, (_, index) =>
        service
          .http(TOKENS.reader)
          .get(`/api/${doors[index % doors.length]}`)
          .expect(403),
      );
      await Promise.all(tries);
    }

    // The first one, a sum for each minute that ends meanwhile, and the last one.
    const soFar = await written();
    expect(soFar.length).toBeLessThanOrEqual(1 + mock.calls.length);
    const events = await left();
    expect(events.length).toBeLessThanOrEqual(1 + mock.calls.length);
    const details = events.map(detailsOf);
    expect(details.reduce((sum, { requests }) => sum + requests, 0)).toBe(500);
    expect(new Set(details.flatMap(({ routes }) => routes))).toEqual(
      new Set(['admin/audit', 'admin/tokens', 'admin/types', 'users', 'users/:id'].map((door) => `GET /api/${door}`)),
    );
  });

  it('keeps nothing of a bad token', async () => {
    const bad = [`cms_${SECRET}`, SECRET, `${SECRET}.${SECRET}.${SECRET}`];
    for (const token of bad) expectError(await service.http(token).get('/api/users'), 'invalid_token');

    const events = await left();
    expect(events).toMatchObject([
      { reason: 'invalid_token', ip: '127.0.0.1', actor_kind: null },
      { reason: 'invalid_token', ip: '127.0.0.1', actor_kind: null },
    ]);
    const text = JSON.stringify(events) + log.join('');
    expect(text).toContain('"path":"/api/users","status":401');
    for (let at = 0; at + 6 <= SECRET.length; at += 1) expect(text).not.toContain(SECRET.slice(at, at + 6));
  });

  it('from 1,200 different networks leaves a bounded number of events', async () => {
    const { port } = service.app.getHttpServer().address() as { port: number };
    const ask = (index: number) =>
      fetch(`http://127.0.0.1:${port}/api/users`, {
        headers: { authorization: 'Bearer nothing', 'x-forwarded-for': `10.1.${index >> 8}.${index & 255}` },
      }).then(async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      });
    for (let index = 0; index < 1_200; index += 50) {
      const statuses = await Promise.all(Array.from({ length: 50 }, (_, offset) => ask(index + offset)));
      expect(new Set(statuses)).toEqual(new Set([401]));
    }

    const events = await left();
    expect(events).toHaveLength(1_001);
    expect(events.at(-1)).toMatchObject({ reason: 'flood', ip: null, actor_kind: null });
    expect(events.slice(-1).map(detailsOf)).toEqual([{ requests: 200, routes: ['GET /api/users'] }]);
  });

  it('is none where a request is let through, or shows no token at all', async () => {
    await service.http().get('/api/users').expect(200);
    await service.anonymous().get('/api/users').expect(401);

    expect(await left()).toEqual([]);
  });
});
