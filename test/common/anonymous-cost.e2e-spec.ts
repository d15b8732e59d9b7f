import { randomBytes } from 'node:crypto';
import { newToken } from '../../src/auth/tokens/api/rows/token-rows.js';
import { execute } from '../../src/database/statements/statement.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { stopClock, stopMonotonicClock } from '../support/clock.js';
import { expectError } from '../support/errors.js';
import { aPerson, signedIn, type Tokens } from '../support/sign-in.js';
import { statementsDuring } from '../support/statements.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const JUNK = 70;

describe('Requests without a credential', () => {
  let service: TestApp;

  let pass: (milliseconds: number) => void;

  afterEach(async () => {
    jest.restoreAllMocks();
    await service.close();
  });

  const start = async (environment: Record<string, string> = {}): Promise<void> => {
    service = await startTestApp(environment);
    stopClock(service);
    pass = stopMonotonicClock();
  };
  const flood = async (path: string, body: object = {}): Promise<number[]> => {
    const answers = await Promise.all(Array.from({ length: JUNK }, () => service.anonymous().post(path).send(body)));
    return answers.map(({ status }) => status);
  };
  const me = ({ token }: Tokens) => service.http(token).get('/api/auth/me');

  it('cost signed-in users behind the same address nothing, whatever they ask for under /api/auth', async () => {
    await start();
    const person = await aPerson(service);
    const tokens = await signedIn(service, person);

    expect(await flood('/api/auth/exchange', { code: 'x' })).toContain(429);

    await me(tokens).expect(200);
    await service.http(tokens.token).get('/api/auth/sessions').expect(200);
    const change = { current_password: 'correct horse battery', password: 'battery staple correct' };
    await service.http(tokens.token).post('/api/auth/password/change').send(change).expect(204);
    const refresh = { refresh_token: tokens.refresh_token };
    await service.anonymous().post('/api/auth/refresh').send(refresh).expect(200);
    await service.anonymous().post('/api/auth/logout').send(refresh).expect(204);
    expectError(await service.anonymous().get('/api/auth/me'), 'too_many_requests');
  });

  it.each(['/api/auth/refresh', '/api/auth/logout'])(
    'with junk for %s draw from the budget of their address',
    async (path) => {
      await start();

      const statuses = await flood(path, { refresh_token: 'junk' });

      expect(statuses.filter((status) => status === 401)).toHaveLength(60);
      expect(statuses.filter((status) => status === 429)).toHaveLength(JUNK - 60);
    },
  );

  it('leave each session with a budget of its own', async () => {
    await start({ RATE_LIMITS: 'auth=3,login=0' });
    const [ann, bob] = [await aPerson(service), await aPerson(service)];
    const [one, other] = [await signedIn(service, ann), await signedIn(service, bob)];

    const statuses: number[] = [];
    for (let sent = 0; sent < 4; sent += 1) statuses.push((await me(one)).status);

    expect(statuses).toEqual([200, 200, 200, 429]);
    await me(other).expect(200);
  });

  it('have nothing forgotten that is known of sessions', async () => {
    await start({ RATE_LIMITS: 'off' });
    const tokens = await signedIn(service, await aPerson(service));
    await me(tokens).expect(200);
    await service.app.get(UnitOfWork).run((manager) => execute(manager, 'UPDATE auth_sessions SET revoked_at = 1', []));

    for (const code of ['junk', randomBytes(32).toString('base64url')]) {
      expectError(await service.anonymous().post('/api/auth/exchange').send({ code }), 'invalid_code_exchange');
    }

    // What another process has ended is noticed within seconds, and not at once: nothing was asked for anew.
    await me(tokens).expect(200);
  });

  it('ask the database for five API tokens a second where too many bad ones came from that address', async () => {
    await start({ RATE_LIMITS: 'bad_tokens=3' });
    const order = { name: 'good', scopes: ['records:read'] };
    const make = async () => (await service.http().post('/api/admin/tokens').send(order)).body.data.token as string;
    const [seen, unseen] = [await make(), await make()];
    const ask = (token: string) => service.http(token).get('/api/cms/post');
    await ask(seen).expect(200);
    for (let sent = 0; sent < 3; sent += 1) await ask(newToken()).expect(401);

    await ask(unseen).expect(200);

    pass(5_000);
    const statements = statementsDuring(service);
    for (let sent = 0; sent < 9; sent += 1) expectError(await ask(newToken()), 'too_many_requests');
    expect(statements.filter((sql) => sql.includes('api_tokens'))).toHaveLength(5);
    await ask(seen).expect(200);
  });
});
