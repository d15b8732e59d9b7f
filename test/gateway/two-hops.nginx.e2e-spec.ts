import { request } from 'node:http';
import { SECRETS } from '../support/child-service.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import { Mailbox, waitFor } from '../support/mailbox.js';
import { PASSWORD } from '../support/sign-in.js';
import type { TestDatabase } from '../support/test-database.js';
import { ANN, basic, CLIENT, GATEWAY_SECRET, TwoHops, type Came } from '../support/two-hops.js';

const OWN = 'https://cms.example.com/cms';
const TOKEN = { Authorization: `Bearer ${SECRETS.token}` };

/** The configurations of `deploy/nginx`, with two instances behind two hops. */
describe('Behind two hops of nginx', () => {
  let database: TestDatabase;
  let mailbox: Mailbox;
  let hops: TwoHops;

  beforeAll(async () => {
    [database, mailbox] = await Promise.all([createMigratedDatabase(), Mailbox.open()]);
    hops = await TwoHops.start(database, {
      ...mailbox.environment,
      MAX_REQUESTS: '24',
      RATE_LIMITS: 'login=0,auth=0',
    });
  });

  afterAll(async () => {
    await hops.stop();
    await mailbox.close();
    await database.drop();
  });

  const get = (path: string, headers: Record<string, string> = {}): Promise<Came> =>
    hops.call('GET', path, { headers });
  const expectRefused = (answer: Came, status: number, error: string): void => {
    expect([answer.status, answer.body?.error]).toEqual([status, error]);
    expect(answer.body).toEqual({ error, message: expect.any(String), request_id: expect.any(String) });
  };
  /** A line of the log of the edge that has all of these; it is written a moment after the answer. */
  const lineOf = (...parts: readonly string[]): Promise<string | undefined> =>
    Promise.resolve(hops.edgeLog.split('\n').find((line) => parts.every((part) => line.includes(part))));
  const makePost = async (body: object): Promise<{ readonly id: number }> => {
    const answer = await hops.call('POST', '/cms/api/cms/post', { headers: TOKEN, body });
    expect([answer.status, answer.body?.error]).toEqual([201, undefined]);
    return answer.body.data;
  };
  /** An account whose password counts as its own. */
  const aPerson = async (email: string): Promise<number> => {
    const body = { email, name: 'Eve', role: 'editor', password: PASSWORD };
    const answer = await hops.call('POST', '/cms/api/users', { headers: TOKEN, body });
    expect([answer.status, answer.body?.error]).toEqual([201, undefined]);
    return answer.body.id as number;
  };
  const login = (email: string, more: object = {}, headers: Record<string, string> = {}): Promise<Came> =>
    hops.call('POST', '/cms/api/auth/login', { headers, body: { email, password: PASSWORD, ...more } });

  describe('addresses', () => {
    it('have the path of the gateway, whatever a request says of it', async () => {
      const lies = {
        ...TOKEN,
        'X-Forwarded-Host': 'evil.example',
        'X-Forwarded-Prefix': '/evil',
        Host: 'evil.example',
      };
      const created = await hops.call('POST', '/cms/api/cms/post', {
        headers: lies,
        body: { title: 'Hello', slug: 'hello', status: 'published' },
      });
      const [home, document, discovery, robots, way] = await Promise.all(
        [
          '/cms/',
          '/cms/api/openapi.json',
          '/cms/.well-known/openid-configuration',
          '/robots.txt',
          '/cms/sitemap.xml',
        ].map((path) => get(path, lies)),
      );

      expect(created.headers.location).toBe(`/cms/api/cms/post/${created.body.data.id}`);
      expect((await get(String(created.headers.location), TOKEN)).body.data.title).toBe('Hello');
      expect(home?.body.links.docs).toBe('/cms/api/docs');
      expect(document?.body.servers).toEqual([{ url: OWN }]);
      expect(discovery?.body).toEqual({ issuer: OWN, jwks_uri: `${OWN}/.well-known/jwks.json` });
      expect(robots?.text).toContain(`Sitemap: ${OWN}/sitemap.xml`);
      expect(way?.text).toContain('<loc>https://cms.example.com/');
    });

    it('are the same with a slash at the end and without', async () => {
      for (const path of ['/cms', '/cms/']) {
        const page = await get(path, { Accept: 'text/html' });

        expect([page.status, page.text.includes('href="/cms/api/docs"')]).toEqual([200, true]);
      }
    });

    it('beside the path are 404 in the shape of the service, and so is what leads out of it', async () => {
      for (const path of ['/', '/api/cms/post', '/cmsx/', '/health/live']) {
        expectRefused(await get(path, TOKEN), 404, 'gateway_refused');
      }
      expect((await get('/', { 'X-Request-Id': 'edge-42' })).body.request_id).toBe('edge-42');
      for (const path of ['/cms//api/cms/post', '/x/../cms/api/cms/post', '/cms/cms/api/cms/post']) {
        expectRefused(await get(path, TOKEN), 404, 'not_found');
      }
      expect((await get('/cms/health/ready')).status).toBe(200);
    });

    it('keep each letter that a client has sent', async () => {
      await makePost({ title: 'Über', slug: 'über-café', status: 'published' });

      for (const slug of ['%C3%BCber-caf%C3%A9', 'u%CC%88ber-cafe%CC%81']) {
        expect((await get(`/cms/api/cms/post/slug:${slug}`, TOKEN)).body.data.title).toBe('Über');
      }
      const renamed = await hops.call('PUT', '/cms/api/cms/post/slug:%C3%BCber-caf%C3%A9', {
        headers: TOKEN,
        body: { title: 'Anew' },
      });
      expect([renamed.status, renamed.body.data.title]).toEqual([200, 'Anew']);
      expectRefused(await get('/cms/api/cms/post/slug:a%2Fb', TOKEN), 404, 'record_not_found');
    });

    it('are in callbacks, in links of mails and in cookies', async () => {
      await aPerson('link@example.com');
      const way = await get('/cms/api/auth/oidc/redirect');
      const answer = await login('link@example.com', { mode: 'cookie' });
      await hops.call('POST', '/cms/api/auth/magic-link', { body: { email: 'link@example.com' } });
      const { link } = await mailbox.next('link@example.com', /./);
      const page = await get(new URL(link).pathname + new URL(link).search, { Accept: 'text/html' });
      const cookies = answer.headers['set-cookie'] ?? [];

      expectRefused(way, 503, 'provider_not_configured');
      expect(cookies.map((cookie) => /^__Secure-(\w+)=.*; Path=(\S+);/.exec(cookie)?.slice(1))).toEqual([
        ['cms_refresh', '/cms/api/auth'],
        ['cms_device', '/cms/api/auth'],
      ]);
      expect(link).toMatch(new RegExp(`^${OWN}/api/auth/magic-link/verify\\?token=`));
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      const refreshed = await hops.call('POST', '/cms/api/auth/refresh', {
        headers: { Cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') },
      });
      expect(refreshed.status).toBe(200);
    });
  });

  describe('who asks', () => {
    /** Where a sign-in came from, as its user sees it. */
    const addressSeen = async (email: string, headers: Record<string, string>): Promise<unknown> => {
      await aPerson(email);
      const { body } = await login(email, {}, headers);
      const sessions = await get('/cms/api/auth/sessions', { Authorization: `Bearer ${body.token}` });
      return sessions.body.data[0].ip;
    };

    it.each([
      ['nothing', {}],
      ['an address', { 'X-Forwarded-For': '203.0.113.9' }],
      ['addresses of the hops', { 'X-Forwarded-For': '203.0.113.9, 127.0.0.1, 127.0.0.1' }],
      ['another header', { Forwarded: 'for=203.0.113.9', 'X-Real-IP': '203.0.113.9' }],
    ])('is the address that reached the edge, where X-Forwarded-For says %s', async (name, headers) => {
      expect(await addressSeen(`from-${name.replaceAll(' ', '-')}@example.com`, headers)).toBe(CLIENT);
    });

    it('is no one whom a client names in headers of the gateway', async () => {
      const headers = {
        'X-Forwarded-User': ANN.name,
        'X-Forwarded-Groups': 'cms-admins',
        'X-Forwarded-Email': 'ann@example.com',
        'X-Gateway-Secret': GATEWAY_SECRET,
      };

      expectRefused(await get('/cms/api/auth/me', headers), 401, 'unauthorized');
      const { body } = await get('/cms/api/auth/me', { ...headers, ...TOKEN });
      expect([body.data.user, body.data.scopes]).toEqual([null, ['*']]);
    });

    it('is a person of the gateway, by a password of the gateway, with the role of the groups there', async () => {
      const headers = { ...basic(ANN.name, ANN.password), 'X-Forwarded-User': 'root', 'X-Forwarded-Groups': 'none' };

      const { body } = await get('/cms/api/auth/me', headers);
      const written = await hops.call('POST', '/cms/api/cms/post', { headers, body: { title: 'By Ann' } });

      expect([body.data.user.name, body.data.scopes]).toEqual([ANN.name, ['*']]);
      expect([written.status, written.body.data.created_by.name]).toEqual([201, ANN.name]);
    });

    it('is refused by the gateway with a wrong password, before the service hears of it', async () => {
      for (const path of ['/cms/api/auth/me', '/preview/table.csv']) {
        const answer = await get(path, basic('mallory', 'x'));

        expectRefused(answer, 401, 'gateway_refused');
        expect(answer.headers['www-authenticate']).toBe('Basic realm="People"');
      }
      const users = await get('/cms/api/users', TOKEN);
      const names = (users.body as { name: string }[]).map(({ name }) => name);
      expect([names.includes(ANN.name), names.includes('mallory')]).toEqual([true, false]);
    });

    it('is the token in its own header, where Authorization is the gateway’s', async () => {
      const headers = { ...basic(ANN.name, ANN.password), 'X-Content-Token': SECRETS.token };

      const { body } = await get('/cms/api/auth/me', headers);

      expect([body.data.user, body.data.scopes]).toEqual([null, ['*']]);
      expectRefused(await get('/cms/api/auth/me', { ...headers, 'X-Content-Token': 'bad' }), 401, 'invalid_token');
    });

    it('cannot reach the inner hop past the edge', async () => {
      const status = await new Promise((resolve, reject) => {
        const asked = request(
          { host: '127.0.0.1', port: hops.innerPort, path: '/cms/health/live', localAddress: CLIENT },
          (answer) => {
            answer.resume();
            resolve(answer.statusCode);
          },
        );
        asked.once('error', reject);
        asked.end();
      });

      expect(status).toBe(403);
    });
  });

  describe('what the gateway asks for others', () => {
    it('is answered by the service: what lies beside it is for those who may read drafts', async () => {
      const outsider = await get('/preview/table.csv');
      const wrong = await get('/preview/table.csv', { Authorization: 'Bearer bad' });
      const reader = await get('/preview/table.csv?scope=records:read', TOKEN);
      const ann = await get('/preview/table.csv', basic(ANN.name, ANN.password));

      expectRefused(outsider, 401, 'gateway_refused');
      expect(outsider.headers['www-authenticate']).toMatch(/^Bearer/);
      expectRefused(wrong, 401, 'gateway_refused');
      expect([reader.status, ann.status]).toEqual([200, 200]);
      expect(reader.headers['cache-control']).toBe('private, no-cache');
      for (const caller of ['"token:ci"', '"user:']) {
        await waitFor(() => lineOf(` 200 GET /preview/table.csv `, caller), caller);
      }
    });

    it('is refused to who lacks the scope', async () => {
      const made = await hops.call('POST', '/cms/api/admin/tokens', {
        headers: TOKEN,
        body: { name: 'site', scopes: ['records:read'] },
      });
      const answer = await get('/preview/table.csv', { Authorization: `Bearer ${made.body.data.token}` });

      expectRefused(answer, 403, 'gateway_refused');
    });
  });

  describe('a request', () => {
    it('has one id in the lines of both hops, of the service and in its answer', async () => {
      const own = await get('/cms/api/cms/post', TOKEN);
      const given = await get('/cms/api/cms/post', { ...TOKEN, 'X-Request-Id': 'order-4711' });
      const odd = await get('/cms/api/cms/post', { ...TOKEN, 'X-Request-Id': 'a b"c' });
      const ids = [own, given, odd].map(({ headers }) => String(headers['x-request-id']));

      expect(ids).toEqual([
        expect.stringMatching(/^[\da-f]{32}$/),
        'order-4711',
        expect.stringMatching(/^[\da-f]{32}$/),
      ]);
      for (const id of ids) {
        await waitFor(() => lineOf(` ${id} `), id);
        await waitFor(
          () => Promise.resolve(hops.services.find(({ stdout }) => stdout.includes(`"request_id":"${id}"`))),
          id,
        );
      }
    });

    it('may have a token of 16,384 characters', async () => {
      expectRefused(
        await get('/cms/api/cms/post', { Authorization: `Bearer ${'x'.repeat(16_384)}` }),
        401,
        'invalid_token',
      );
    });

    it('with headers above 32 KiB is 431: by the service, and by the gateway where one line is that long', async () => {
      const long = await get('/cms/api/cms/post', {
        ...TOKEN,
        'X-One': 'x'.repeat(20_000),
        'X-Two': 'x'.repeat(20_000),
      });
      const longer = await get('/cms/api/cms/post', { ...TOKEN, 'X-One': 'x'.repeat(40_000) });

      expectRefused(long, 431, 'headers_too_large');
      expectRefused(longer, 431, 'gateway_refused');
    });

    it('with a body above 4 MiB is 413: by the service, and by the gateway above 8 MiB', async () => {
      const post = (bytes: number): Promise<Came> =>
        hops.call('POST', '/cms/api/cms/post', { headers: TOKEN, body: JSON.stringify({ title: 'x'.repeat(bytes) }) });

      expectRefused(await post(4_500_000), 413, 'payload_too_large');
      expectRefused(await post(9_000_000), 413, 'gateway_refused');
    });

    it('that finds the service full is 503 with its Retry-After', async () => {
      await aPerson('busy@example.com');

      const answers = await Promise.all(Array.from({ length: 120 }, () => login('busy@example.com')));
      const refused = answers.filter(({ status }) => status === 503);

      expect(refused.length).toBeGreaterThan(0);
      for (const answer of refused) {
        expectRefused(answer, 503, 'overloaded');
        expect(['1', '2', '3']).toContain(answer.headers['retry-after']);
      }
      expect(answers.filter(({ status }) => ![200, 503].includes(status))).toEqual([]);
    });
  });

  describe('an answer', () => {
    it('is packed by the edge, and its validator is taken back', async () => {
      const { id } = await makePost({ title: 'Long', body: 'All work and no play. '.repeat(1_000) });
      const path = `/cms/api/cms/post/${id}`;
      const plain = await get(path, TOKEN);
      const packed = await get(path, { ...TOKEN, 'Accept-Encoding': 'gzip' });
      const etag = String(packed.headers.etag);

      expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'gzip']);
      expect(packed.body).toEqual(plain.body);
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 4);
      expect(packed.headers.vary).toContain('Accept-Encoding');
      expect([plain.headers.etag, etag]).toEqual(['"1"', 'W/"1"']);
      expect((await get(path, { ...TOKEN, 'If-None-Match': etag })).status).toBe(304);
      const change = (): Promise<Came> =>
        hops.call('PUT', path, { headers: { ...TOKEN, 'If-Match': etag }, body: { title: 'Longer' } });
      expect((await change()).status).toBe(200);
      expect((await change()).body.error).toBe('version_conflict');
    });

    it('with secrets is not packed', async () => {
      await aPerson('many@example.com');
      let token = '';
      for (let n = 0; n < 20; n += 1) token = (await login('many@example.com')).body.token as string;

      const sessions = await get('/cms/api/auth/sessions', {
        Authorization: `Bearer ${token}`,
        'Accept-Encoding': 'gzip',
      });

      expect(sessions.bytes.length).toBeGreaterThan(4_096);
      expect(sessions.headers['content-encoding']).toBeUndefined();
    });
  });
});
