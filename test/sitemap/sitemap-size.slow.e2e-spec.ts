import { bulkPosts, locsOf, schemaFaults, textsOf } from '../support/sitemap.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const SITE = 'https://www.example.com';

describe('The sitemap by the number of records', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp({ SITE_URL: SITE });
  });

  afterAll(() => service.close());

  const get = async (path: string): Promise<string> => (await service.anonymous().get(path).expect(200)).text;

  /** The addresses of all files that the sitemap leads to, each file valid. */
  async function addresses(): Promise<string[]> {
    const whole = await get('/sitemap.xml');
    expect(await schemaFaults(whole)).toEqual([]);
    if (!whole.includes('<sitemapindex')) return locsOf(whole);
    const all: string[] = [];
    for (const part of locsOf(whole)) {
      const xml = await get(part.replace(SITE, ''));
      expect(await schemaFaults(xml)).toEqual([]);
      expect(locsOf(xml).length).toBeLessThanOrEqual(45_000);
      all.push(...locsOf(xml));
    }
    return all;
  }

  const posts = (first: number, last: number): string[] =>
    Array.from({ length: last - first + 1 }, (_, i) => `${SITE}/post/post-${first + i}`);

  it('is the root of the site, as long as there are none', async () => {
    expect(await addresses()).toEqual([`${SITE}/`]);
    await service.anonymous().get('/sitemap-1.xml').expect(404);
  });

  it('is one file with one record and with 45,000, each in it once', async () => {
    await bulkPosts(service, 1, 1);
    expect(await addresses()).toEqual(posts(1, 1));

    await bulkPosts(service, 2, 45_000);
    const whole = await get('/sitemap.xml');
    expect(await schemaFaults(whole)).toEqual([]);
    expect(locsOf(whole)).toEqual(posts(1, 45_000));
  });

  it('is a list of two files with 45,001', async () => {
    await bulkPosts(service, 45_001, 45_001);

    expect(locsOf(await get('/sitemap.xml'))).toEqual([`${SITE}/sitemap-1.xml`, `${SITE}/sitemap-2.xml`]);
    expect(await addresses()).toEqual(posts(1, 45_001));
  });

  it('is a list of three files with 120,000, and each shows when it has last changed', async () => {
    await bulkPosts(service, 45_002, 120_000);

    expect(await addresses()).toEqual(posts(1, 120_000));
    expect(textsOf(await get('/sitemap.xml'), 'lastmod')).toEqual(
      [45_000, 90_000, 120_000].map((id) => new Date(1_700_000_000_000 + id).toISOString()),
    );
  });

  it('lists no file for ids that no record has', async () => {
    await bulkPosts(service, 180_001, 180_003);

    expect(locsOf(await get('/sitemap.xml'))).toEqual([1, 2, 3, 5].map((part) => `${SITE}/sitemap-${part}.xml`));
    expect(locsOf(await get('/sitemap-5.xml'))).toEqual(posts(180_001, 180_003));
    for (const part of ['4', '6', '0', '-1', '1.5', 'x', '99999999999999999999']) {
      await service.anonymous().get(`/sitemap-${part}.xml`).expect(404);
    }
  });

  it('changes one file, and the list, with one record', async () => {
    const tags = async () => {
      const answers = [];
      for (const file of ['', '-1', '-2', '-3', '-5']) {
        answers.push((await service.anonymous().head(`/sitemap${file}.xml`).expect(200)).headers.etag);
      }
      return answers;
    };
    const before = await tags();

    await service.http().patch('/api/cms/post/60000').send({ slug: 'moved' }).expect(200);

    const after = await tags();
    expect(after.map((tag, i) => tag === before[i])).toEqual([false, true, false, true, true]);
    expect(await get('/sitemap-2.xml')).toContain('/post/moved<');
  });
});
