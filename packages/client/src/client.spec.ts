import { FakeService, json } from '../test/fake-service.js';
import { createClient } from './client.js';
import { CmsError } from './errors.js';

const REFRESH = 'POST /api/auth/refresh';
const ME = 'GET /api/auth/me';
const ANN = { id: 1, name: 'Ann' };
const BOB = { id: 2, name: 'Bob' };
const token = (name: string, user: object = ANN, seconds = 900): Response =>
  json({ token: name, expires_in: seconds, user });
const refused = (error: string): Response => json({ error, message: error }, 401);

describe('A client that signs in', () => {
  let service: FakeService;
  let signedOut: number;
  let others: number;
  let client: ReturnType<typeof createClient>;

  afterEach(() => jest.useRealTimers());
  beforeEach(() => {
    service = new FakeService();
    [signedOut, others] = [0, 0];
    client = createClient({
      url: 'https://cms.example.com/',
      fetch: service.fetch,
      onSignedOut: () => (signedOut += 1),
      onOtherPerson: () => (others += 1),
    });
    service.answer('POST /api/auth/login', () => token('first'));
    service.answer(ME, () => json({ data: {} }));
  });

  const login = () => client.signIn('password', { email: 'ann@example.com', password: 'secret' });

  it('leaves the refresh token in the cookie, and sends the access token', async () => {
    expect(await login()).toEqual(ANN);
    await client.request('GET', '/api/auth/me');

    expect(service.asked[0]?.body).toEqual({ email: 'ann@example.com', password: 'secret', mode: 'cookie' });
    expect(service.asked[1]).toMatchObject({ route: ME, authorization: 'Bearer first' });
  });

  it('goes on with the session that the browser has kept', async () => {
    service.answer(REFRESH, () => token('kept'));

    expect(await client.isSignedIn()).toBe(true);
    await client.request('GET', '/api/auth/me');

    expect(service.asked.at(-1)?.authorization).toBe('Bearer kept');
    expect(signedOut).toBe(0);
  });

  it('is signed out where the browser has kept none, and asks for it once', async () => {
    service.answer(REFRESH, () => refused('invalid_refresh_token'));

    expect([await client.isSignedIn(), await client.isSignedIn()]).toEqual([false, false]);
    expect([service.times(REFRESH), signedOut]).toEqual([1, 0]);
  });

  it('refreshes a token that ends soon before it is sent, once for twenty requests', async () => {
    service.answer('POST /api/auth/login', () => token('short', ANN, 29));
    service.answer(REFRESH, () => token('next'));
    await login();

    await Promise.all(Array.from({ length: 20 }, () => client.request('GET', '/api/auth/me')));

    expect(service.times(REFRESH)).toBe(1);
    expect(new Set(service.asked.slice(2).map(({ authorization }) => authorization))).toEqual(new Set(['Bearer next']));
  });

  it('refreshes a token that was refused, and sends the request once more', async () => {
    await login();
    const answers = [refused('invalid_token'), json({ data: 'me' })];
    service.answer(ME, () => answers.shift() ?? json({}));
    service.answer(REFRESH, () => token('next'));

    expect(await client.request('GET', '/api/auth/me')).toEqual({ data: 'me' });
    expect(service.asked.at(-1)?.authorization).toBe('Bearer next');
  });

  it('says once that the session has ended elsewhere', async () => {
    await login();
    service.answer(ME, () => refused('invalid_token'));
    service.answer(REFRESH, () => refused('refresh_token_reused'));

    await expect(client.request('GET', '/api/auth/me')).rejects.toMatchObject({ code: 'invalid_token' });
    expect([signedOut, await client.isSignedIn()]).toEqual([1, false]);
  });

  it('keeps the session while a gateway refuses in the place of the service', async () => {
    await login();
    service.answer(ME, () => refused('invalid_token'));
    service.answer(REFRESH, () => new Response('<h1>Sign in to the network</h1>', { status: 401 }));

    await expect(client.request('GET', '/api/auth/me')).rejects.toMatchObject({ code: 'unreadable' });
    expect(signedOut).toBe(0);
  });

  it('measures the age of a token by a clock that nobody sets', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    await login();

    jest.setSystemTime(Date.now() + 24 * 3_600_000);
    await client.request('GET', '/api/auth/me');
    expect(service.times(REFRESH)).toBe(0);
    service.answer(REFRESH, () => token('next'));
    jest.setSystemTime(0);
    await jest.advanceTimersByTimeAsync(871_000);
    await client.request('GET', '/api/auth/me');

    expect(service.times(REFRESH)).toBe(1);
  });

  it('goes on where another tab has signed the same person in', async () => {
    await login();
    service.answer(ME, () => refused('invalid_token'));
    service.answer(REFRESH, () => refused('invalid_refresh_token'));
    await expect(client.request('GET', '/api/auth/me')).rejects.toMatchObject({ status: 401 });
    expect(await client.resume()).toBe(false);

    service.answer(REFRESH, () => token('again'));

    expect(await client.resume()).toBe(true);
    service.answer(ME, () => json({ data: 'me' }));
    await client.request('GET', '/api/auth/me');
    expect(service.asked.at(-1)?.authorization).toBe('Bearer again');
    expect([signedOut, others]).toEqual([1, 0]);
  });

  it('sends a request that had no session once more when there is one by then', async () => {
    service.answer(REFRESH, () => refused('invalid_refresh_token'));
    await client.isSignedIn();
    service.answer(ME, async () => {
      service.answer(ME, () => json({ data: 'me' }));
      await login();
      return refused('unauthorized');
    });

    expect(await client.request('GET', '/api/auth/me')).toEqual({ data: 'me' });
  });

  it.each([
    ['has changed the cookie', () => client.resume()],
    ['signs in here', () => client.signIn('password', {})],
    ['has changed the cookie, and a token is refused', () => client.request('GET', '/api/auth/me').catch(() => null)],
  ])('sends nothing with the token of another person who %s', async (_, turn) => {
    await login();
    service.answer(REFRESH, () => token('of Bob', BOB));
    service.answer('POST /api/auth/login', () => token('of Bob', BOB));
    service.answer(ME, () => refused('invalid_token'));

    await turn();

    expect([others, signedOut, client.user?.id, await client.isSignedIn()]).toEqual([1, 0, ANN.id, false]);
    await expect(client.request('GET', '/api/auth/me')).rejects.toMatchObject({ status: 401 });
    expect(service.asked.map(({ authorization }) => authorization)).not.toContain('Bearer of Bob');
  });

  it('is of the same person when they sign in after a sign-out', async () => {
    service.answer('POST /api/auth/logout', () => refused('invalid_refresh_token'));
    await login();
    await client.signOut();

    await login();

    expect([await client.isSignedIn(), others]).toEqual([true, 0]);
  });

  it('ends the session by a sign-out, which is no end elsewhere', async () => {
    service.answer('POST /api/auth/logout', () => new Response(null, { status: 204 }));
    await login();

    await client.signOut();

    expect([await client.isSignedIn(), signedOut, service.times(REFRESH)]).toEqual([false, 0, 0]);
  });
});

describe('A request that fails', () => {
  const service = new FakeService();
  const { open } = createClient({ url: 'https://cms.example.com', fetch: service.fetch });

  it('has the name, the details and the request id of the answer, and how long to wait', async () => {
    const body = { error: 'too_many_requests', message: 'Wait.', details: [{ field: 'email' }], request_id: 'r-1' };
    service.answer(ME, () => json(body, 429, { 'Retry-After': '7' }));

    const error: unknown = await open('GET', '/api/auth/me').catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(CmsError);
    expect(error).toMatchObject({
      status: 429,
      code: 'too_many_requests',
      message: 'Wait.',
      details: [{ field: 'email' }],
      requestId: 'r-1',
      retryAfter: 7,
    });
  });

  it.each([
    ['no answer is unreachable', () => Promise.reject(new TypeError('fetch failed')), 'unreachable'],
    ['the page of a gateway is unreadable', () => new Response('<h1>Bad gateway</h1>', { status: 502 }), 'unreadable'],
    ['a page in the place of JSON is unreadable', () => new Response('<h1>Welcome</h1>'), 'unreadable'],
  ])('%s', async (_, answer, code) => {
    service.answer(ME, answer);

    await expect(open('GET', '/api/auth/me')).rejects.toMatchObject({ code });
  });

  it('throws the reason of a signal that has ended it', async () => {
    const controller = new AbortController();
    service.answer(ME, () => {
      controller.abort(new Error('left'));
      throw new DOMException('aborted', 'AbortError');
    });

    await expect(open('GET', '/api/auth/me', { signal: controller.signal })).rejects.toThrow('aborted');
  });
});
