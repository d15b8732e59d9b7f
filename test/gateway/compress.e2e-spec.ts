import { get, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

interface Raw {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

const TYPE = { name: 'note', label: 'Note', fields: [{ name: 'text', type: 'string' }] };
const OPEN = { br: brotliDecompressSync, gzip: gunzipSync } as const;
const text = (length: number) => Array.from({ length }, (_, n) => String.fromCodePoint(97 + ((n * n) % 23))).join('');

describe('COMPRESS', () => {
  let service: TestApp;
  let plainService: TestApp;

  beforeAll(async () => {
    service = await startTestApp({ COMPRESS: 'on', RATE_LIMITS: 'off' });
    plainService = await startTestApp();
    for (const one of [service, plainService]) {
      await one.http().post('/api/cms/post').send({ title: 'Short', slug: 'short', status: 'published' }).expect(201);
      const long = { title: 'Long', slug: 'long', status: 'published', body: text(40_000) };
      await one.http().post('/api/cms/post').send(long).expect(201);
    }
  });

  afterAll(async () => {
    await service.close();
    await plainService.close();
  });

  function ask(
    path: string,
    headers: Record<string, string> = {},
    { of = service, method = 'GET' } = {},
  ): Promise<Raw> {
    const { port } = of.app.getHttpServer().address() as AddressInfo;
    const all = { authorization: `Bearer ${TOKENS.admin}`, ...headers };
    return new Promise((resolve, reject) => {
      get({ port, host: '127.0.0.1', path, headers: all, method, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) });
        });
      }).once('error', reject);
    });
  }

  const LONG = '/api/cms/post/slug:long';

  it('is off until it is set', async () => {
    const { headers } = await ask(LONG, { 'accept-encoding': 'br, gzip' }, { of: plainService });

    expect([headers['content-encoding'], headers.vary, headers.etag]).toEqual([undefined, 'Authorization', '"1"']);
  });

  it.each([
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=0.5, br;q=0', 'gzip'],
  ] as const)('packs for a client that takes %s', async (accepted, encoding) => {
    const plain = await ask(LONG);

    const packed = await ask(LONG, { 'accept-encoding': accepted });

    expect(OPEN[encoding](packed.bytes).equals(plain.bytes)).toBe(true);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length);
    expect(packed.headers).toMatchObject({
      'content-encoding': encoding,
      'content-length': String(packed.bytes.length),
      etag: `"1-${encoding}"`,
      vary: 'Authorization, Accept-Encoding',
    });
  });

  it.each(['identity', '', 'br;q=0, gzip;q=0', 'deflate', '*;q=0'])(
    'sends others the text itself: %p',
    async (accepted) => {
      const { headers, bytes } = await ask(LONG, { 'accept-encoding': accepted });

      expect([headers['content-encoding'], headers.etag, headers.vary]).toEqual([
        undefined,
        '"1"',
        'Authorization, Accept-Encoding',
      ]);
      expect(JSON.parse(bytes.toString())).toMatchObject({ data: { slug: 'long' } });
    },
  );

  it('leaves what is shorter than 4 KiB as it is', async () => {
    const { headers } = await ask('/api/cms/post/slug:short', { 'accept-encoding': 'br' });

    expect([headers['content-encoding'], headers.etag]).toEqual([undefined, '"1"']);
  });

  it.each([
    ['"1-br"', 'br', 304, '"1-br"'],
    ['"1"', 'br', 304, '"1"'],
    ['W/"1-br"', 'br', 304, '"1-br"'],
    ['"1", "1-br"', 'br', 304, '"1-br"'],
    ['"1-gzip"', 'br', 200, '"1-br"'],
    ['"1-br"', 'identity', 200, '"1"'],
    ['"2-br"', 'br', 200, '"1-br"'],
    ['*', 'br', 304, '"1-br"'],
  ])('If-None-Match: %s of a client that takes %s is %d with %s', async (held, accepted, status, etag) => {
    const answer = await ask(LONG, { 'if-none-match': held, 'accept-encoding': accepted });

    expect([answer.status, answer.headers.etag]).toEqual([status, etag]);
    expect(answer.bytes.length > 0).toBe(status === 200);
  });

  it('If-Match takes the validator of any encoding, for records, types and taxonomies', async () => {
    const change = (path: string, tag: string, body: object, method: 'patch' | 'put' = 'put') =>
      service.http()[method](path).set('If-Match', tag).send(body);
    const post = '/api/cms/post/slug:short';
    const taxonomy = '/api/admin/taxonomies/tag';

    await change(post, '"1-br"', { title: 'Changed' }, 'patch').expect(200);
    await change(post, '"1-br"', { title: 'Lost' }, 'patch').expect(412);
    await service.http().post('/api/admin/types').send(TYPE).expect(201);
    await change('/api/admin/types/note', '"1-gzip"', { ...TYPE, label: 'Notes' }).expect(200);
    await change('/api/admin/types/note', '"1-gzip"', { ...TYPE, label: 'Lost' }).expect(412);
    await change(taxonomy, '"1-br"', { description: 'Labels.' }).expect(200);
    await change(taxonomy, '"1-br"', { description: 'Lost.' }).expect(412);
  });

  it('lists have it too, those that are made piece by piece as well, and a 304', async () => {
    for (let n = 0; n < 3; n += 1) {
      await service
        .http()
        .post('/api/cms/post')
        .send({ title: `Large ${n}`, body: text(700_000) })
        .expect(201);
    }
    const path = '/api/cms/post?per_page=100&filter[status]=draft';

    for (const encoding of ['br', 'gzip'] as const) {
      const [plain, packed, head] = [
        await ask(path),
        await ask(path, { 'accept-encoding': encoding }),
        await ask(path, { 'accept-encoding': encoding }, { method: 'HEAD' }),
      ];

      expect(OPEN[encoding](packed.bytes).equals(plain.bytes)).toBe(true);
      expect(packed.headers.etag).toBe(String(plain.headers.etag).replace(/"$/, `-${encoding}"`));
      expect(head.headers.etag).toBe(packed.headers.etag);
      const held = await ask(path, { 'accept-encoding': encoding, 'if-none-match': String(packed.headers.etag) });
      expect([held.status, held.headers.etag]).toEqual([304, packed.headers.etag]);
    }
  });

  it('never packs an answer of sign-in, whatever its length', async () => {
    const name = 'x'.repeat(200);
    for (let n = 0; n < 40; n += 1) {
      await service
        .http()
        .post('/api/users')
        .send({ email: `p${n}@example.com`, name, password: 'correct horse battery' });
    }
    const me = { email: 'p1@example.com', password: 'correct horse battery' };
    const { body } = await service.anonymous().post('/api/auth/login').send(me).expect(200);
    for (let n = 0; n < 30; n += 1) {
      await service
        .http(body.token)
        .post('/api/auth/tokens')
        .send({ name: `${n} ${'x'.repeat(80)}`, scopes: ['records:read'] })
        .expect(201);
    }

    const headers = { authorization: `Bearer ${body.token}`, 'accept-encoding': 'br' };
    const [own, users] = [await ask('/api/auth/tokens', headers), await ask('/api/users', { 'accept-encoding': 'br' })];

    expect(own.bytes.length).toBeGreaterThan(4_096);
    expect([own.headers['content-encoding'], users.headers['content-encoding']]).toEqual([undefined, 'br']);
  });
});
