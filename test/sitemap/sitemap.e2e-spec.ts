import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Response } from 'supertest';
import { Reads } from '../../src/database/statements/reads.js';
import { Writer } from '../../src/database/statements/writer.js';
import { runner } from '../support/cli-runner.js';
import { stopMonotonicClock } from '../support/clock.js';
import { expectError } from '../support/errors.js';
import { bulkPosts, locsOf, schemaFaults, textsOf } from '../support/sitemap.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase } from '../support/test-database.js';

const SITE = 'https://www.example.com';

/** What the tests ask of a record. */
interface Created {
  readonly id: number;
  readonly url: string;
  readonly updated_at: string;
}

describe('GET /sitemap.xml', () => {
  let service: TestApp;

  beforeEach(async () => {
    service = await startTestApp({ PUBLIC_URL: 'https://cms.example.com', SITE_URL: SITE });
  });

  afterEach(() => service.close());

  const admin = async (method: 'post' | 'put' | 'patch' | 'delete', path: string, body?: object): Promise<Response> => {
    const answer = await service.http()[method](path).send(body);
    expect([path, answer.status, answer.status < 300 ? '' : answer.text]).toEqual([path, answer.status, '']);
    return answer;
  };
  const create = async (type: string, slug: string, status = 'published'): Promise<Created> =>
    (await admin('post', `/api/cms/${type}`, { title: slug, slug, status })).body.data;
  const sitemap = async (): Promise<string> => (await service.anonymous().get('/sitemap.xml').expect(200)).text;
  const paths = async (): Promise<string[]> => locsOf(await sitemap()).map((loc) => loc.replace(SITE, ''));

  it('has the addresses that the API gives published records, and when they were last changed', async () => {
    const post = await create('post', 'hello');
    const page = await create('page', 'čas-и-時間');

    const xml = await sitemap();

    expect(await schemaFaults(xml)).toEqual([]);
    expect(locsOf(xml)).toEqual([post.url, page.url]);
    expect(post.url).toBe(`${SITE}/post/hello`);
    expect(page.url).toBe(`${SITE}/${encodeURIComponent('čas-и-時間')}`);
    expect(textsOf(xml, 'lastmod')).toEqual([post.updated_at, page.updated_at]);
  });

  it('is another one after a backup was restored, however the counts of changes agree', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cms-sitemap-'));
    const cached = { DATA_DIR: folder, SITE_URL: SITE };
    const [database, copy] = [await createTestDatabase(), await createTestDatabase()];
    const publish = (to: TestApp, slug: string) =>
      to.http().post('/api/cms/post').send({ title: slug, slug, status: 'published' }).expect(201);
    const read = (from: TestApp) => from.anonymous().get('/sitemap.xml').expect(200);

    const lived = await startTestApp({ ...cached, DATABASE_URL: database.url });
    await publish(lived, 'base');
    expect(await runner({ DATABASE_URL: database.url })(['backup', join(folder, 'backup')])).toMatchObject({ code: 0 });
    await publish(lived, 'lost');
    const before = await read(lived);
    await lived.close();
    expect(await runner({ DATABASE_URL: copy.url })(['restore', join(folder, 'backup')])).toMatchObject({ code: 0 });
    const restored = await startTestApp({ ...cached, DATABASE_URL: copy.url });
    await publish(restored, 'other');
    const after = await read(restored);
    await restored.close();
    await Promise.all([database.drop(), copy.drop()]);
    rmSync(folder, { recursive: true });

    expect(locsOf(before.text)).toEqual([`${SITE}/post/base`, `${SITE}/post/lost`]);
    expect(locsOf(after.text)).toEqual([`${SITE}/post/base`, `${SITE}/post/other`]);
    expect(after.headers.etag).not.toBe(before.headers.etag);
  });

  it('has no draft, nothing archived and nothing from the trash, from one request to the next', async () => {
    await create('post', 'draft', 'draft');
    await create('post', 'archived', 'archived');
    const { id } = await create('post', 'seen');
    const own = `/api/cms/post/${id}`;

    const seen = [await paths()];
    for (const [method, path, body] of [
      ['patch', own, { status: 'draft' }],
      ['patch', own, { status: 'published' }],
      ['patch', own, { slug: 'renamed' }],
      ['delete', own],
      ['post', `${own}/restore`],
      ['patch', own, { status: 'archived' }],
      ['patch', own, { status: 'published' }],
      ['delete', `${own}?permanent=true`],
    ] as const) {
      await admin(method, path, body);
      seen.push(await paths());
    }

    const [hello, renamed, none] = [['/post/seen'], ['/post/renamed'], ['/']];
    expect(seen).toEqual([hello, none, hello, renamed, none, renamed, none, renamed, none]);
  });

  it('follows the types: their path, whether they are in it, and their end', async () => {
    await admin('post', '/api/admin/types', { name: 'news', url_path: '/n/{id}/{locale}' });
    const { id } = await create('news', 'first');
    await create('page', 'about');
    const news = `/n/${id}/en`;

    const seen = [await paths()];
    for (const change of [
      { sitemap: false },
      { label: 'Not of interest' },
      { sitemap: true },
      { url_path: '/{type}/{slug}' },
    ]) {
      await admin('put', '/api/admin/types/news', change);
      seen.push(await paths());
    }
    await admin('delete', '/api/admin/types/news?confirm=news');
    seen.push(await paths());

    const both = [news, '/about'];
    expect(seen).toEqual([both, ['/about'], ['/about'], both, ['/news/first', '/about'], ['/about']]);
  });

  it('shows what another process has written, and has another validator a minute later', async () => {
    const { id } = await create('post', 'seen');
    const pass = stopMonotonicClock();
    const validator = async () => (await service.anonymous().head('/sitemap.xml').expect(200)).headers.etag;
    const before = await validator();
    await service.app.get(Writer).source.query("UPDATE records SET slug = 'moved', version = 2 WHERE id = ?", [id]);

    const seen = [await paths()];
    const isSame: boolean[] = [];
    for (const milliseconds of [59_000, 2_000]) {
      pass(milliseconds);
      isSame.push((await validator()) === before);
    }
    jest.restoreAllMocks();

    expect([seen, isSame]).toEqual([[['/post/moved']], [true, false]]);
  });

  it('is well-formed with whatever stands in a slug', async () => {
    const hostile = ['a&b', 'a<b>c', `it's "quoted"`, 'tab\tbell\u0007', 'über/straße?x=1#y', '😀', ']]>', '%41', '..'];
    const { id } = await create('post', 'plain');
    await bulkPosts(service, id + 1, id + hostile.length);
    const { source } = service.app.get(Writer);
    for (const [i, slug] of hostile.entries()) {
      await source.query('UPDATE records SET slug = ? WHERE id = ?', [slug, id + 1 + i]);
    }

    const xml = await sitemap();
    const { data } = (await service.http().get('/api/cms/post?sort=id&per_page=100').expect(200)).body;

    expect(await schemaFaults(xml)).toEqual([]);
    expect(xml).not.toMatch(/['"](?![^<>]*\?>|[^<>]*>)/);
    expect(locsOf(xml)).toEqual(data.map(({ url }: { url: string }) => url));
    expect(locsOf(xml).map((loc) => decodeURIComponent(loc.replace(`${SITE}/post/`, '')))).toEqual([
      'plain',
      ...hostile,
    ]);
  });

  it('leaves out an address that is longer than the protocol allows', async () => {
    const { url } = await create('post', '𐐨'.repeat(191));
    const alone = await paths();
    await create('page', 'short');

    expect(url.length).toBeGreaterThan(2_048);
    expect([alone, await paths()]).toEqual([['/'], ['/short']]);
  });

  describe('as an answer', () => {
    it('can be kept, compressed or not, by a client that asks each time whether it has changed', async () => {
      await create('post', 'hello');
      const as = (encoding: string) => service.anonymous().get('/sitemap.xml').set('Accept-Encoding', encoding);

      const [packed, plain, refused] = [await as('br, gzip'), await as('identity'), await as('gzip;q=0')];

      const shared = {
        'content-type': 'application/xml; charset=utf-8',
        'cache-control': 'public, no-cache',
        vary: 'Accept-Encoding',
        etag: expect.stringMatching(/^W\/"[\w-]{27}"$/),
        'last-modified': expect.stringMatching(/GMT$/),
      };
      expect(packed.headers).toMatchObject({ ...shared, 'content-encoding': 'gzip' });
      for (const answer of [plain, refused]) {
        expect(answer.headers).toMatchObject(shared);
        expect(answer.headers).not.toHaveProperty('content-encoding');
        expect(answer.text).toBe(packed.text);
      }
    });

    it('is 304 until something changes', async () => {
      const { id } = await create('post', 'hello');
      const { etag } = (await service.anonymous().get('/sitemap.xml')).headers;
      const again = () => service.anonymous().get('/sitemap.xml').set('If-None-Match', String(etag));

      const unchanged = await again();
      await admin('put', '/api/admin/types/post', { label: 'Story' });
      await create('post', 'draft', 'draft');
      const untouched = await again();
      await admin('patch', `/api/cms/post/${id}`, { title: 'Hello again' });
      const changed = await again();

      expect([unchanged.status, untouched.status, changed.status]).toEqual([304, 304, 200]);
      expect(unchanged.headers).toMatchObject({ etag, 'cache-control': 'public, no-cache', vary: 'Accept-Encoding' });
      expect(unchanged.text).toBe('');
      expect(changed.headers.etag).not.toBe(etag);
    });

    it('has the same head for HEAD', async () => {
      await create('post', 'hello');
      const [whole, head] = [
        await service.anonymous().get('/sitemap.xml').set('Accept-Encoding', 'gzip'),
        await service.anonymous().head('/sitemap.xml').set('Accept-Encoding', 'gzip'),
      ];

      const chosen = ['etag', 'content-type', 'content-encoding', 'cache-control', 'vary', 'last-modified'];
      for (const name of chosen) expect([name, head.headers[name]]).toEqual([name, whole.headers[name]]);
      expect(head.status).toBe(200);
    });

    it('is no answer while it cannot be made, and is one as soon as it can', async () => {
      await create('post', 'hello');
      const select = jest.spyOn(service.app.get(Reads), 'select');
      const real = select.getMockImplementation() ?? Reads.prototype.select.bind(service.app.get(Reads));
      select.mockImplementation((sql, values) =>
        sql.includes('id BETWEEN') ? Promise.reject(new Error('gone')) : real(sql, values),
      );

      const failed = await Promise.all([0, 1, 2].map(() => service.anonymous().get('/sitemap.xml')));
      select.mockRestore();

      for (const answer of failed) expectError(answer, 'internal_error');
      expect(await paths()).toEqual(['/post/hello']);
    });
  });
});

describe('GET /robots.txt', () => {
  it('names the sitemap, and keeps programs out of the API', async () => {
    const service = await startTestApp({ PUBLIC_URL: 'https://cms.example.com' });

    const { text, headers } = await service.anonymous().get('/robots.txt').expect(200);

    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toBe('User-agent: *\nDisallow: /api/\n\nSitemap: https://cms.example.com/sitemap.xml\n');
    await service.close();
  });
});
