import type { Response } from 'supertest';
import { stopMonotonicClock } from '../support/clock.js';
import { expectError } from '../support/errors.js';
import { GOOD_TOKEN, startLimitedApp, type LimitedApp } from '../support/limited-app.js';
import { startTestApp, TOKENS } from '../support/test-app.js';

const LOGIN = '/api/auth/login';

describe('Limits on requests', () => {
  let service: LimitedApp;
  let pass: (milliseconds: number) => void;

  const start = async (environment: Record<string, string> = {}): Promise<void> => {
    service = await startLimitedApp(environment);
    pass = stopMonotonicClock();
  };

  afterEach(async () => {
    jest.restoreAllMocks();
    await service.app.close();
  });

  const post = (path: string, forwarded?: string) => {
    const request = service.http().post(path);
    return forwarded === undefined ? request : request.set('X-Forwarded-For', forwarded);
  };

  /** Statuses of requests that follow each other, one for each `X-Forwarded-For`. */
  async function statuses(path: string, forwarded: readonly (string | undefined)[]): Promise<number[]> {
    const found: number[] = [];
    for (const one of forwarded) found.push((await post(path, one)).status);
    return found;
  }

  const left = ({ headers }: Response) => [headers['ratelimit-limit'], headers['ratelimit-remaining']];

  it('let exactly 5 of 100 requests through that arrive together, where 5 are allowed', async () => {
    await start({ RATE_LIMITS: 'login=5,auth=0' });

    const answers = await Promise.all(Array.from({ length: 100 }, () => post(LOGIN)));

    expect(answers.filter(({ status }) => status === 204)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(95);
  });

  it('count those that are refused in no budget, also when all arrive together', async () => {
    await start({ RATE_LIMITS: 'login=5,auth=60' });

    const answers = await Promise.all(Array.from({ length: 100 }, () => post(LOGIN)));

    expect(answers.filter(({ status }) => status === 204)).toHaveLength(5);
    expect(left(await service.http().get('/api/auth/methods'))).toEqual(['60', '54']);
  });

  it('are kept to the word: after Retry-After the next request passes, and not before', async () => {
    await start({ RATE_LIMITS: 'login=1' });
    await post(LOGIN).expect(204);

    const refused = await post(LOGIN);
    expectError(refused, 'too_many_requests');
    const seconds = Number(refused.headers['retry-after']);
    expect(refused.body.retry_after).toBe(seconds);
    expect(refused.headers).toMatchObject({ 'ratelimit-remaining': '0', 'ratelimit-reset': String(seconds) });

    pass(seconds * 1_000 - 1);
    await post(LOGIN).expect(429);
    pass(1);
    await post(LOGIN).expect(204);
  });

  it('share a budget among all routes that name it, whatever class they are of', async () => {
    await start();

    const paths = ['/api/auth/otp/send', '/api/auth/magic-link', '/api/auth/password/forgot'];
    const found: number[] = [];
    for (const path of [...paths, ...paths]) found.push((await post(path)).status);

    expect(found).toEqual([204, 204, 204, 204, 204, 429]);
    await post(LOGIN).expect(204);
  });

  it('take 20 mails an hour, however they are spread', async () => {
    await start({ RATE_LIMITS: 'send_hourly=6' });
    await statuses('/api/auth/otp/send', Array(5).fill(undefined));
    pass(60_000);
    await post('/api/auth/otp/send').expect(204);

    const refused = await post('/api/auth/otp/send');

    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500);
  });

  it('hold for all routes under /api/auth together, also for those that name no budget', async () => {
    await start({ RATE_LIMITS: 'auth=3' });

    const answers = [
      await post(LOGIN),
      await service.http().get('/api/auth/methods'),
      await post('/api/auth/magic-link'),
      await service.http().get('/api/auth/methods'),
      await post(LOGIN),
    ];

    expect(answers.map(({ status }) => status)).toEqual([204, 200, 204, 429, 429]);
    await service.http().get('/api/things').set('Authorization', `Bearer ${GOOD_TOKEN}`).expect(200);
  });

  it('count a request whose handler has the say before its body is read, and again give back what it calls good', async () => {
    await start({ RATE_LIMITS: 'auth=2' });
    const send = async (body: string) =>
      (await service.http().post('/api/auth/refresh').set('Content-Type', 'application/json').send(body)).status;

    const good = [await send('{"good":true}'), await send('{"good":true}'), await send('{"good":true}')];
    const bad = [await send('{}'), await send('{'), await send('{}'), await send('{')];

    expect([...good, ...bad]).toEqual([201, 201, 201, 400, 400, 429, 429]);
    expect(await send('{"good":true}')).toBe(201);
  });

  it('show what is left of the budget that is closest to its end', async () => {
    await start({ RATE_LIMITS: 'auth=12,login=10' });

    const login = await post(LOGIN);
    const methods = await service.http().get('/api/auth/methods');

    expect([left(login), left(methods)]).toEqual([
      ['10', '9'],
      ['12', '10'],
    ]);
    expect(Object.keys(login.headers).filter((name) => /^(?:x-ratelimit|retry-after)/.test(name))).toEqual([]);
  });

  it('are off one by one where they are set to 0, and all of them with RATE_LIMITS=off', async () => {
    await start({ RATE_LIMITS: 'login=0,auth=0' });
    expect(new Set(await statuses(LOGIN, Array(70).fill(undefined)))).toEqual(new Set([204]));
    expect(left(await post(LOGIN))).toEqual([undefined, undefined]);
    expect(await statuses('/api/auth/magic-link', Array(6).fill(undefined))).toContain(429);
    await service.app.close();

    await start({ RATE_LIMITS: 'off' });
    expect(new Set(await statuses('/api/auth/magic-link', Array(30).fill(undefined)))).toEqual(new Set([204]));
    for (let sent = 0; sent < 70; sent += 1) {
      await service.http().get('/api/things').set('Authorization', 'Bearer junk').expect(401);
    }
  });

  describe('by address', () => {
    const LIMITED = { RATE_LIMITS: 'login=1,auth=0' };

    it('ignore X-Forwarded-For where no proxy is trusted', async () => {
      await start(LIMITED);

      expect(await statuses(LOGIN, ['192.0.2.1', '192.0.2.2', undefined])).toEqual([204, 429, 429]);
    });

    it('take the last address where one proxy is trusted, whatever the client wrote before it', async () => {
      await start({ ...LIMITED, TRUST_PROXY: '1' });

      const forged = ['192.0.2.1', '10.9.9.9, 192.0.2.1', 'junk, 192.0.2.1', '192.0.2.1, 192.0.2.2'];
      expect(await statuses(LOGIN, forged)).toEqual([204, 429, 429, 204]);
    });

    it('take the last but one where two proxies are trusted', async () => {
      await start({ ...LIMITED, TRUST_PROXY: '2' });

      const chains = ['192.0.2.1, 10.0.0.1', '192.0.2.7, 192.0.2.1, 10.0.0.2', '192.0.2.1, 192.0.2.7, 10.0.0.1'];
      expect(await statuses(LOGIN, chains)).toEqual([204, 429, 204]);
    });

    it('pass over the networks that are trusted, and stop at the first address that is not', async () => {
      await start({ ...LIMITED, TRUST_PROXY: '127.0.0.0/8,10.0.0.0/8' });

      const chains = ['192.0.2.1', '192.0.2.1, 10.0.0.1', '10.0.0.9, 192.0.2.1, 10.0.0.1', '192.0.2.1, 192.0.2.2'];
      expect(await statuses(LOGIN, chains)).toEqual([204, 429, 429, 204]);
    });

    it('trust no header where the connection comes from elsewhere than the networks', async () => {
      await start({ ...LIMITED, TRUST_PROXY: '10.0.0.0/8' });

      expect(await statuses(LOGIN, ['192.0.2.1', '192.0.2.2'])).toEqual([204, 429]);
    });

    it('take what is no address for one client, so that junk makes no new one', async () => {
      await start({ ...LIMITED, TRUST_PROXY: '1' });

      expect(await statuses(LOGIN, ['junk', 'other junk', '<script>', 'x'.repeat(8_000)])).toEqual([
        204, 429, 429, 429,
      ]);
    });

    it.each([
      ['a port', '192.0.2.1:1024', '192.0.2.1:2048'],
      ['version 4 in version 6', '192.0.2.1', '::ffff:192.0.2.1'],
      ['the same /64', '2001:db8:1:2::1', '2001:0DB8:1:2:aaaa:bbbb:cccc:dddd'],
      ['brackets and a port', '2001:db8:1:2::1', '[2001:db8:1:2::9]:443'],
    ])('take two spellings for one client: %s', async (_, one, other) => {
      await start({ ...LIMITED, TRUST_PROXY: '1' });

      expect(await statuses(LOGIN, [one, other, '198.51.100.1'])).toEqual([204, 429, 204]);
    });

    it('distinguish two /64', async () => {
      await start({ ...LIMITED, TRUST_PROXY: '1' });

      expect(await statuses(LOGIN, ['2001:db8:1:2::1', '2001:db8:1:3::1'])).toEqual([204, 204]);
    });

    it.each([
      ['/56', 4, (n: number) => `2001:db8:1:a${n.toString(16).padStart(2, '0')}::1`],
      ['/48', 16, (n: number) => `2001:db8:1:${(n * 256).toString(16)}::1`],
    ])('give a %s no more than %d clients', async (_, factor, addressOf) => {
      await start({ ...LIMITED, TRUST_PROXY: '1' });

      const found = await statuses(
        LOGIN,
        Array.from({ length: 20 }, (__, n) => addressOf(n)),
      );

      expect(found.filter((status) => status === 204)).toHaveLength(factor);
      expect(found.slice(factor)).toEqual(Array(20 - factor).fill(429));
      expect(await statuses(LOGIN, ['2001:db8:2::1', '192.0.2.1'])).toEqual([204, 204]);
    });

    it('stand thousands of addresses in one header', async () => {
      await start({ ...LIMITED, TRUST_PROXY: '127.0.0.0/8,10.0.0.0/8' });
      const many = Array.from({ length: 1_500 }, (_, index) => `10.0.${index >> 8}.${index & 255}`).join(',');

      expect(await statuses(LOGIN, [`192.0.2.1,${many}`, `192.0.2.1,${many}`])).toEqual([204, 429]);
    });
  });

  describe('on bearer tokens without an owner', () => {
    const ask = (token: string) => service.http().get('/api/things').set('Authorization', `Bearer ${token}`);

    it('answer 401 sixty times and 429 from then on, while good tokens pass from the same address', async () => {
      await start();

      const bad = await Promise.all(Array.from({ length: 61 }, (_, index) => ask(`bad-${index}`)));
      const good = await Promise.all(Array.from({ length: 100 }, () => ask(GOOD_TOKEN)));

      expect(bad.map(({ status }) => status).sort()).toEqual([...Array<number>(60).fill(401), 429]);
      expect(new Set(good.map(({ status }) => status))).toEqual(new Set([200]));
      const refused = await ask('bad');
      expectError(refused, 'too_many_requests');
      expect(refused.headers['retry-after']).toBe(String(refused.body.retry_after));
    });

    it('count what cannot be a token, too, and nothing that comes without one', async () => {
      await start({ RATE_LIMITS: 'bad_tokens=2' });

      for (let sent = 0; sent < 5; sent += 1) {
        await service.http().get('/api/things').set('Authorization', 'Basic eDp5').expect(401);
      }
      const found = [await ask('one'), await service.http().get('/api/things').set('Authorization', 'Bearer')];

      expect(found.map(({ status }) => status)).toEqual([401, 401]);
      await ask('three').expect(429);
      await service.http().get('/api/things').expect(401);
    });
  });
});

describe.each(['/api/users', '/api/admin/tokens'])('The limit of %s', (path) => {
  it.each([
    ['without a credential', null, 401],
    ['with a token without an owner', 'nobody-0123456789-0123456789', 401],
    ['with a token that may not', TOKENS.reader, 403],
  ])('counts requests %s', async (_, token, status) => {
    const service = await startTestApp({ RATE_LIMITS: 'users=3,bad_tokens=0' });
    const ask = () => (token === null ? service.anonymous() : service.http(token)).get(path);

    const found = [await ask(), await ask(), await ask(), await ask()];

    expect(found.map((answer) => answer.status)).toEqual([status, status, status, 429]);
    expect(found.map(({ headers }) => headers['ratelimit-remaining'])).toEqual(['2', '1', '0', '0']);
    await service.http().get(path).expect(200);
    await service.close();
  });
});
