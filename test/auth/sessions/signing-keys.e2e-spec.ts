import { createRemoteJWKSet, customFetch, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { DataSource } from 'typeorm';
import { SigningKeys } from '../../../src/auth/tokens/keys/signing-keys.js';
import { Clock } from '../../../src/common/clock.js';
import { partOf } from '../../support/forged-tokens.js';
import { aPerson, login, signedIn, type Person } from '../../support/sign-in.js';
import { stopClock } from '../../support/clock.js';
import { waitFor } from '../../support/mailbox.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

interface StoredKey {
  readonly id: string;
  readonly state: string;
  readonly slot: string | null;
  readonly sealed_key: string;
}

const OFF = { RATE_LIMITS: 'off' };

describe('The keys of access tokens', () => {
  let service: TestApp;
  let ann: Person;
  const others: TestApp[] = [];

  beforeEach(async () => {
    service = await startTestApp(OFF);
    ann = await aPerson(service);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    for (const other of others.splice(0)) await other.close();
    await service.close();
  });

  /** A second process of the same service, as far as the database can tell. */
  const another = async (environment: Record<string, string> = {}): Promise<TestApp> => {
    const second = await startTestApp({ ...OFF, DATABASE_URL: service.database.url, ...environment });
    others.push(second);
    return second;
  };
  const keysOf = (each: TestApp): SigningKeys => each.app.get(SigningKeys);
  const kidOf = (token: string): unknown => partOf(token, 0).kid;
  const me = async (each: TestApp, token: string): Promise<number> =>
    (await each.http(token).get('/api/auth/me')).status;
  const stored = (): Promise<StoredKey[]> => service.app.get(DataSource).query('SELECT * FROM signing_keys');
  const published = async (each: TestApp): Promise<Record<string, unknown>[]> =>
    (await each.anonymous().get('/.well-known/jwks.json').expect(200)).body.keys as Record<string, unknown>[];

  it('are published, both the one that signs and the next one, and nothing private of them', async () => {
    const { token } = await signedIn(service, ann);

    const keys = await published(service);
    const answer = await service.anonymous().get('/api/auth/jwks').expect(200);

    expect(keys).toHaveLength(2);
    expect(keys.map(({ kid }) => kid)).toContain(kidOf(token));
    for (const key of keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
      expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
    }
    expect(answer.body).toEqual({ keys });
    expect(answer.headers['cache-control']).toBe('public, max-age=300');
  });

  it('lie in the database with their private halves sealed', async () => {
    await signedIn(service, ann);

    for (const row of await stored()) expect(JSON.stringify(row)).not.toMatch(/PRIVATE|"d"|\\"d\\"/);
  });

  describe('let a gateway that knows nothing but our address', () => {
    let url: string;
    let gateway: JWTVerifyGetKey;
    let issuer: string;

    beforeEach(async () => {
      await service.app.close();
      service = await listening();
      ann = await aPerson(service);
      const discovery = await (await fetch(`${url}/.well-known/openid-configuration`)).json();
      ({ issuer } = discovery as { issuer: string });
      gateway = createRemoteJWKSet(new URL((discovery as { jwks_uri: string }).jwks_uri), {
        cooldownDuration: 0,
        // What the service calls itself is an address of the test's settings: it is where it listens.
        [customFetch]: (address: string, options: RequestInit) => fetch(`${url}${new URL(address).pathname}`, options),
      });
    });

    const listening = async (): Promise<TestApp> => {
      const started = await startTestApp({ ...OFF, PUBLIC_URL: 'http://cms.example.com' });
      url = (await started.app.getUrl()).replace('[::1]', '127.0.0.1');
      return started;
    };
    const accepts = async (token: string): Promise<boolean> =>
      jwtVerify(token, gateway, { issuer, audience: issuer, algorithms: ['ES256'], typ: 'at+jwt' }).then(
        ({ payload }) => payload.sub === String(ann.id),
        () => false,
      );

    it('check tokens, across a rotation, and refuse those of a key that leaked', async () => {
      const { token: first } = await signedIn(service, ann);
      expect(await accepts(first)).toBe(true);

      await keysOf(service).rotate();
      const { token: second } = await signedIn(service, ann);
      expect(kidOf(second)).not.toBe(kidOf(first));
      expect([await accepts(first), await accepts(second)]).toEqual([true, true]);

      await keysOf(service).rotate({ isLeaked: true });
      const { token: third } = await signedIn(service, ann);
      const fresh = createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`));
      gateway = fresh;
      expect([await accepts(first), await accepts(second), await accepts(third)]).toEqual([false, false, true]);
    });

    it('know the next key before it signs', async () => {
      expect(await accepts((await signedIn(service, ann)).token)).toBe(true);
      const requests = jest.spyOn(globalThis, 'fetch');

      await keysOf(service).rotate();

      expect(await accepts((await signedIn(service, ann)).token)).toBe(true);
      expect(requests).not.toHaveBeenCalled();
    });
  });

  describe('when they are rotated', () => {
    it('accept the tokens of the retired key for as long as they live, and a minute more', async () => {
      const { token } = await signedIn(service, ann);
      stopClock(service);
      const rotatedAt = service.app.get(Clock).now();
      const { retired } = await keysOf(service).rotate();
      const isAcceptedAfter = async (seconds: number): Promise<boolean> => {
        const later = await another();
        const time = rotatedAt + seconds * 1_000;
        jest.spyOn(later.app.get(Clock), 'now').mockReturnValue(time);
        return (await keysOf(later).current()).accepted.has(retired);
      };

      expect(await me(service, token)).toBe(200);
      expect([await isAcceptedAfter(959), await isAcceptedAfter(960)]).toEqual([true, false]);

      jest.spyOn(service.app.get(Clock), 'now').mockReturnValue(rotatedAt + 961_000);
      await keysOf(service).rotate();
      expect((await stored()).map(({ id }) => id)).not.toContain(retired);
    });

    it('refuse all tokens so far at once when they leaked, also those that were checked before', async () => {
      const { token: old } = await signedIn(service, ann);
      await keysOf(service).rotate();
      const { token } = await signedIn(service, ann);
      expect([await me(service, old), await me(service, token)]).toEqual([200, 200]);

      await keysOf(service).rotate({ isLeaked: true });

      expect([await me(service, old), await me(service, token)]).toEqual([401, 401]);
      expect(await me(service, (await signedIn(service, ann)).token)).toBe(200);
      expect((await stored()).map(({ slot }) => slot).sort()).toEqual(['active', 'next']);
    });

    it('by two processes at once are rotated once, to a key that was published before', async () => {
      const second = await another();
      await signedIn(service, ann);
      const before = await published(service);
      for (const each of [service, second]) await keysOf(each).current();

      const rotations = await Promise.all([service, second, service, second].map((each) => keysOf(each).rotate()));

      expect(new Set(rotations.map(({ active }) => active)).size).toBe(1);
      expect(before.map(({ kid }) => kid)).toContain(rotations[0]?.active);
      expect((await stored()).map(({ state }) => state).sort()).toEqual(['active', 'next', 'retired']);
    });

    it('at once with one who says that they leaked, are refused all the same', async () => {
      const second = await another();
      const { token } = await signedIn(service, ann);
      await keysOf(second).current();

      await Promise.all([keysOf(service).rotate(), keysOf(second).rotate({ isLeaked: true })]);

      expect((await stored()).map(({ id }) => id)).not.toContain(kidOf(token));
      await waitFor(async () => ((await me(service, token)) === 401 ? true : null), 'the token to be refused');
    });
  });

  describe('of several processes', () => {
    it('that start on an empty database at once are the same ones', async () => {
      const second = await another();
      expect(await stored()).toEqual([]);

      const lists = await Promise.all([service, second, service, second].map(published));

      for (const list of lists) expect(list).toEqual(lists[0]);
      expect(await stored()).toHaveLength(2);
    });

    it('let each check the tokens of the others', async () => {
      const second = await another();
      const [one, other] = [await signedIn(service, ann), await signedIn(second, ann)];

      expect(await me(second, one.token)).toBe(200);
      expect(await me(service, other.token)).toBe(200);
    });
  });

  describe('under another APP_SECRET', () => {
    const SECRET = { APP_SECRET: 'another secret that is long enough for it' };

    it('are replaced: everybody has to sign in anew, and can', async () => {
      const before = await signedIn(service, ann);
      const second = await another(SECRET);

      const after = await signedIn(second, ann);

      expect(kidOf(after.token)).not.toBe(kidOf(before.token));
      expect(await me(second, after.token)).toBe(200);
      const refresh = { refresh_token: before.refresh_token };
      await second.anonymous().post('/api/auth/refresh').send(refresh).expect(401);
    });

    it('are replaced once, by however many processes', async () => {
      await signedIn(service, ann);
      const many = [await another(SECRET), await another(SECRET)];

      const answers = await Promise.all([...many, ...many].map((each) => login(each, ann)));

      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect((await stored()).map(({ state }) => state).sort()).toEqual(['active', 'next', 'retired', 'retired']);
    });
  });
});
