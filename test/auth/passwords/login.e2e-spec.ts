import { hash } from '@node-rs/argon2';
import { DataSource } from 'typeorm';
import { Clock } from '../../../src/common/clock.js';
import { UnitOfWork } from '../../../src/database/units/unit-of-work.js';
import { execute } from '../../../src/database/statements/statement.js';
import { Passwords } from '../../../src/users/passwords/passwords.js';
import { aPerson, login, PASSWORD, signedIn, type Person } from '../../support/sign-in.js';
import { statementsDuring } from '../../support/statements.js';
import { atFullCost, startTestApp, type TestApp } from '../../support/test-app.js';

const ORIGIN = 'https://app.example.com';
const PUBLIC_URL = 'https://cms.example.com';

describe('POST /api/auth/login', () => {
  let service: TestApp;
  let ann: Person;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off', PUBLIC_URL, CORS_ORIGINS: ORIGIN });
  });

  beforeEach(async () => {
    ann = await aPerson(service);
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  const times = <Result>(count: number, work: (index: number) => PromiseLike<Result>): Promise<Result[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)));
  const setHash = (person: Person, passwordHash: string): Promise<unknown> =>
    service.app
      .get(UnitOfWork)
      .run((manager) => execute(manager, 'UPDATE users SET password_hash = ? WHERE id = ?', [passwordHash, person.id]));
  const hashOf = async (person: Person): Promise<string> => {
    const sql = 'SELECT password_hash FROM users WHERE id = ?';
    const [row] = await service.app.get(DataSource).query<{ password_hash: string }[]>(sql, [person.id]);
    return row?.password_hash ?? '';
  };

  /** Otherwise the tries of one test make those of the next one wait. */
  const forgetTries = () =>
    service.app.get(UnitOfWork).run((manager) => execute(manager, 'DELETE FROM auth_counters', []));

  /** However long requests take: after a second the next try would be due, and a session has less time left. */
  const stopClock = (...services: TestApp[]): void => {
    const now = Date.now();
    for (const { app } of services) jest.spyOn(app.get(Clock), 'now').mockReturnValue(now);
  };

  describe('answers', () => {
    it('200 with an access token, a refresh token and the user', async () => {
      stopClock(service);
      const { status, body, headers } = await login(service, ann);

      expect(status).toBe(200);
      expect(body).toEqual({
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{86}$/),
        token_type: 'Bearer',
        expires_in: 900,
        refresh_token: expect.stringMatching(/^cmsr_[\w-]{51}$/),
        refresh_expires_in: 14 * 86_400,
        user: { id: ann.id, email: ann.email, name: expect.any(String), role: 'viewer', email_verified: false },
      });
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['set-cookie']).toEqual([expect.stringMatching(/^__Host-cms_device=/)]);
    });

    it('any spelling of the address', async () => {
      expect((await login(service, { email: ` ${ann.email.toUpperCase()} ` })).status).toBe(200);
    });

    it('403 to a disabled user, only after the right password', async () => {
      await service.http().put(`/api/users/${ann.id}`).send({ disabled: true }).expect(200);

      const [wrong, right] = [await login(service, ann, 'wrong'), await login(service, ann)];

      expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_credentials']);
      expect([right.status, right.body.error]).toEqual([403, 'account_disabled']);
    });

    it('422 to a password of 257 characters without hashing it, and takes one of 256', async () => {
      const verify = jest.spyOn(service.app.get(Passwords), 'verify');
      const long = Array.from({ length: 256 }, (_, index) => String.fromCharCode(0xc0 + (index % 60))).join('');
      const bob = await aPerson(service, { password: long });

      expect((await login(service, bob, `${long}x`)).status).toBe(422);
      expect(verify).not.toHaveBeenCalled();
      expect((await login(service, bob, long)).status).toBe(200);
    });

    it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
      '415 to a body of %s, which any page could send',
      async (type) => {
        const body = JSON.stringify({ email: ann.email, password: PASSWORD, mode: 'cookie' });

        const answer = await service.anonymous().post('/api/auth/login').set('Content-Type', type).send(body);

        expect([answer.status, answer.headers['set-cookie']]).toEqual([415, undefined]);
      },
    );
  });

  describe('to a page in a browser', () => {
    const cookieOf = (answer: { headers: Record<string, unknown> }): string => String(answer.headers['set-cookie']);
    const loginByCookie = () =>
      service.anonymous().post('/api/auth/login').send({ email: ann.email, password: PASSWORD, mode: 'cookie' });

    it('gives the refresh token in a cookie that no script and no other site can use', async () => {
      stopClock(service);
      const answer = await loginByCookie().expect(200);

      expect(answer.body).not.toHaveProperty('refresh_token');
      expect(cookieOf(answer)).toMatch(
        /^__Host-cms_refresh=cmsr_[\w-]{51}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Strict; Secure,/,
      );
    });

    it.each([
      ['another site', { Origin: 'https://evil.example' }, 403],
      ['a neighbour of an allowed site', { Origin: `${ORIGIN}.evil.example` }, 403],
      ['an allowed site over http', { Origin: ORIGIN.replace('https', 'http') }, 403],
      ['a page of no origin', { Origin: 'null' }, 403],
      ['a page of another site that hides its origin', { 'Sec-Fetch-Site': 'cross-site' }, 403],
      ['a page of a sibling domain', { 'Sec-Fetch-Site': 'same-site' }, 403],
      ['an allowed site', { Origin: ORIGIN, 'Sec-Fetch-Site': 'cross-site' }, 200],
      ['itself', { Origin: PUBLIC_URL, 'Sec-Fetch-Site': 'same-origin' }, 200],
      ['no browser', {}, 200],
    ])('is asked to refresh by %s', async (_, headers, status) => {
      const [cookie = ''] = cookieOf(await loginByCookie()).split(';');

      const answer = await service
        .anonymous()
        .post('/api/auth/refresh')
        .set({ Cookie: cookie, ...headers });

      expect(answer.status).toBe(status);
      expect(cookieOf(answer).includes('cmsr_')).toBe(status === 200);
    });

    it('lets only the listed origins read the answer, with credentials and never any origin', async () => {
      const from = (origin: string) =>
        service
          .anonymous()
          .options('/api/auth/login')
          .set('Origin', origin)
          .set('Access-Control-Request-Method', 'POST');

      const [ours, theirs] = [await from(ORIGIN), await from('https://evil.example')];

      expect(ours.headers).toMatchObject({
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-credentials': 'true',
      });
      expect(String(ours.headers.vary)).toContain('Origin');
      expect(theirs.headers['access-control-allow-origin']).toBeUndefined();
    });

    it('takes neither of two cookies, since a sibling domain can put one beside ours', async () => {
      const [ours = ''] = cookieOf(await loginByCookie()).split(';');
      const [theirs = ''] = cookieOf(await loginByCookie()).split(';');

      const answer = await service.anonymous().post('/api/auth/refresh').set('Cookie', `${theirs}; ${ours}`);

      expect([answer.status, answer.body]).toMatchObject([401, { error: 'invalid_refresh_token' }]);
      await service.anonymous().post('/api/auth/refresh').set('Cookie', ours).expect(200);
    });

    it('forgets the cookie at logout', async () => {
      const [cookie = ''] = cookieOf(await loginByCookie()).split(';');

      const answer = await service.anonymous().post('/api/auth/logout').set('Cookie', cookie).expect(204);

      expect(cookieOf(answer)).toMatch(/^__Host-cms_refresh=; Max-Age=0; Path=\/;/);
      await service.anonymous().post('/api/auth/refresh').set('Cookie', cookie).expect(401);
    });
  });

  describe('to an unknown address, a user without a password and a wrong password', () => {
    let asked: (() => Promise<{ status: number; body: Record<string, unknown> }>)[];

    beforeEach(async () => {
      await forgetTries();
      const bare = await aPerson(service, { password: null });
      asked = [{ email: 'nobody@example.com' }, bare, ann].map((person) => async () => login(service, person, 'wrong'));
    });

    it('gives the same answer', async () => {
      const answers = [];
      for (const ask of asked) answers.push(await ask());

      const [first, ...others] = answers.map(({ status, body: { request_id: _, ...body } }) => ({ status, body }));
      expect(first).toMatchObject({ status: 401, body: { error: 'invalid_credentials' } });
      for (const other of others) expect(other).toEqual(first);
    });

    it('runs the same statements', async () => {
      const statements = statementsDuring(service);
      const lists: string[][] = [];

      for (const ask of asked) {
        await forgetTries();
        statements.length = 0;
        await ask();
        lists.push(statements.filter((sql) => /users|auth_counters/.test(sql) && !sql.includes('auth_events')));
      }

      expect(lists[0]?.length).toBeGreaterThan(1);
      for (const list of lists) expect(list).toEqual(lists[0]);
    });
  });

  describe('after wrong passwords', () => {
    it('looks at 5 of 100 that arrive together, and says how long to wait', async () => {
      stopClock(service);
      const verify = jest.spyOn(service.app.get(Passwords), 'verify');

      const answers = await times(100, () => login(service, ann, 'wrong'));

      expect(verify).toHaveBeenCalledTimes(5);
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused).toHaveLength(95);
      for (const { headers } of refused) expect(headers['retry-after']).toMatch(/^1$/);
    });

    it('looks at no more than 5 of 100 that two processes get', async () => {
      const second = await startTestApp({ RATE_LIMITS: 'off', DATABASE_URL: service.database.url });
      const both = [service, second];
      stopClock(...both);
      const verify = both.map(({ app }) => jest.spyOn(app.get(Passwords), 'verify'));

      const answers = await times(100, (index) => login(both[index % 2] ?? service, ann, 'wrong'));
      await second.close();

      expect(verify.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(5);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
    });

    it('waits twice as long after each, up to a quarter of an hour, and does not look meanwhile', async () => {
      const clock = jest.spyOn(service.app.get(Clock), 'now');
      const verify = jest.spyOn(service.app.get(Passwords), 'verify');
      let now = Date.now();
      clock.mockImplementation(() => now);
      for (let tries = 0; tries < 4; tries += 1) await login(service, ann, 'wrong');
      const waits: number[] = [];

      for (let tries = 0; tries < 12; tries += 1) {
        expect((await login(service, ann, 'wrong')).status).toBe(401);
        const { headers } = await login(service, ann);
        waits.push(Number(headers['retry-after']));
        now += Number(headers['retry-after']) * 1_000 - 1;
        expect((await login(service, ann)).status).toBe(429);
        now += 1;
      }

      expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
      expect(verify).toHaveBeenCalledTimes(16);
      expect((await login(service, ann)).status).toBe(200);
      expect((await login(service, ann, 'wrong')).status).toBe(401);
    });

    it('waits no more once an administrator has set another password', async () => {
      stopClock(service);
      await times(20, () => login(service, ann, 'wrong'));
      expect((await login(service, ann)).status).toBe(429);

      const password = 'another correct horse';
      await service.http().put(`/api/users/${ann.id}`).send({ password }).expect(200);

      expect((await login(service, ann, password)).status).toBe(200);
    });

    it('makes no user wait for what others did with other addresses', async () => {
      await times(20, () => login(service, ann, 'wrong'));

      expect((await login(service, await aPerson(service))).status).toBe(200);
    });
  });

  it('lets everybody in who comes with the right password at the same moment', async () => {
    const answers = await times(20, () => login(service, ann));

    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ body }) => String(body.refresh_token))).size).toBe(20);
  });

  it('answers reads while 200 people sign in, and takes none for wrong who are turned away', async () => {
    const busy = await atFullCost(service.database.url);
    const { token } = await signedIn(busy, ann);
    await forgetTries();
    let isOver = false;
    const reading = readUntil(busy, token, () => isOver);

    const answers = await times(200, (index) => login(busy, { email: `crowd${index}@example.com` }, 'wrong'));
    isOver = true;
    const read = await reading;
    await busy.close();

    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401, 503]));
    // In line behind the passwords there would be room for one of them.
    expect(read).toBeGreaterThan(5);
    const turnedAway = answers.find(({ status }) => status === 503);
    expect([turnedAway?.body.error, turnedAway?.headers['retry-after']]).toEqual(['overloaded', '1']);
    const [counted] = await service.app
      .get(DataSource)
      .query<{ tries: number | string }[]>('SELECT SUM(tries) AS tries FROM auth_counters');
    expect(Number(counted?.tries)).toBe(statuses.filter((status) => status === 401).length);
  });

  describe('with a hash of an older cost', () => {
    const OLD = { memoryCost: 4_096, timeCost: 1, parallelism: 1 };

    it('hashes the password anew, and takes it again', async () => {
      await setHash(ann, await hash(PASSWORD, OLD));

      expect((await login(service, ann)).status).toBe(200);
      expect(await hashOf(ann)).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
      expect((await login(service, ann)).status).toBe(200);
    });

    it('changes nothing after a wrong password', async () => {
      const old = await hash(PASSWORD, OLD);
      await setHash(ann, old);

      expect((await login(service, ann, 'wrong')).status).toBe(401);
      expect(await hashOf(ann)).toBe(old);
    });

    it('lets people in when there is no time to hash anew', async () => {
      const old = await hash(PASSWORD, OLD);
      await setHash(ann, old);
      const passwords = service.app.get(Passwords);
      let others: Promise<unknown> = Promise.resolve();
      const queue = jest.spyOn(passwords, 'verify').mockImplementation(async (password, known) => {
        queue.mockRestore();
        const isRight = await passwords.verify(password, known);
        // They stand in line as soon as they are asked for.
        others = times(50, () => passwords.verify(PASSWORD, old));
        return isRight;
      });

      expect((await login(service, ann)).status).toBe(200);
      expect(await hashOf(ann)).toBe(old);
      await others;
    });
  });
});

/** @returns how many lists of posts were answered until then, one after the other */
async function readUntil(service: TestApp, token: string, isOver: () => boolean): Promise<number> {
  let answered = 0;
  while (!isOver()) {
    await service.http(token).get('/api/cms/post').expect(200);
    answered += 1;
  }
  return answered;
}
