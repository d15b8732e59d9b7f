import { expectError } from '../support/errors.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

const SECRETS = {
  viewer: 'test-viewer-token-0123456789',
  partly: 'test-partly-token-0123456789',
  keeper: 'test-keeper-token-0123456789',
  maker: 'test-maker-token-01234567890',
  writer: 'test-writer-token-0123456789',
} as const;
const API_TOKENS = [
  `admin=${TOKENS.admin}`,
  `viewer=${SECRETS.viewer};records:read`,
  `partly=${SECRETS.partly};records:read drafts:read:page`,
  `keeper=${SECRETS.keeper};records:read taxonomy:write`,
  `maker=${SECRETS.maker};records:create records:update records:publish`,
  `writer=${SECRETS.writer};records:read records:create`,
].join(',');

describe('A tag that was made by being assigned', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp({ API_TOKENS, RATE_LIMITS: 'off' });
  });
  afterAll(() => service.close());

  async function assign(tag: string, body: object = {}, type = 'post'): Promise<number> {
    const record = { title: `Has ${tag}`, terms: { tag: [tag] }, ...body };
    const { body: answer } = await service.http().post(`/api/cms/${type}`).send(record).expect(201);
    return (answer as { data: { id: number } }).data.id;
  }

  async function listed(token: string, query = ''): Promise<string[]> {
    const { body } = await service.http(token).get(`/api/cms/taxonomy/tag${query}`).expect(200);
    const names = (body.data as { name: string }[]).map(({ name }) => name);
    if (query !== '?format=tree') expect(body.meta.total).toBeGreaterThanOrEqual(names.length);
    return names;
  }

  const one = (token: string, slug: string) => service.http(token).get(`/api/cms/taxonomy/tag/slug:${slug}`);

  it('is neither listed, found nor read while only drafts have it', async () => {
    await assign('Bluebird');
    const hidden = { list: '', tree: '?format=tree', search: '?q=blue' };

    for (const query of Object.values(hidden)) {
      expect([query, await listed(SECRETS.viewer, query)]).toEqual([query, expect.not.arrayContaining(['Bluebird'])]);
      expect([query, await listed(TOKENS.admin, query)]).toEqual([query, expect.arrayContaining(['Bluebird'])]);
    }
    expectError(await one(SECRETS.viewer, 'bluebird'), 'term_not_found');
    await one(TOKENS.admin, 'bluebird').expect(200);
    const [{ id }] = (await service.http().get('/api/cms/taxonomy/tag?q=bluebird')).body.data as [{ id: number }];
    expectError(await service.http(SECRETS.viewer).get(`/api/cms/taxonomy/tag/${id}`), 'term_not_found');
  });

  it('cannot be assigned by its id by who may not see it, so its name does not leak', async () => {
    await assign('Kingfisher');
    const [{ id }] = (await service.http().get('/api/cms/taxonomy/tag?q=kingfisher')).body.data as [{ id: number }];
    const make = (token: string, terms: object) =>
      service.http(token).post('/api/cms/post').send({ title: 'Made', terms });

    const refused = await make(SECRETS.maker, { tag: [id] });
    const never = await make(SECRETS.maker, { tag: [id + 1_000_000] });

    expect([refused.status, refused.text]).toEqual([422, expect.not.stringContaining('Kingfisher')]);
    const contentOf = ({ body }: typeof refused) =>
      body.details.map(({ field, rule }: Record<string, string>) => [field, rule]);
    expect(contentOf(refused)).toEqual(contentOf(never));
    expect((await make(SECRETS.maker, { tag: [String(id)] })).body.data.terms.tag[0].name).toBe(String(id));
    expect((await make(TOKENS.admin, { tag: [id] })).status).toBe(201);
  });

  it('is assigned by its id by who may see it, and to a record that has it', async () => {
    const seen = await assign('Osprey', { status: 'published' });
    const held = await assign('Heron', { status: 'published' });
    const { body } = await service.http().get(`/api/cms/post/${held}`).expect(200);
    const heron = body.data.terms.tag[0].id as number;
    const osprey = (await service.http().get(`/api/cms/post/${seen}`)).body.data.terms.tag[0].id as number;
    const writer = service.http(SECRETS.writer);
    const create = (id: number) => writer.post('/api/cms/post').send({ title: 'Made', terms: { tag: [id] } });

    expect((await create(osprey)).status).toBe(201);
    expect((await create(heron)).status).toBe(201);
    const blind = service
      .http(SECRETS.maker)
      .put(`/api/cms/post/${held}`)
      .send({ terms: { tag: [heron] } });
    expect((await blind).status).toBe(200);
  });

  it('answers a filter as one that never was', async () => {
    await assign('Filtered');
    for (const op of ['', '[ne]', '[in]', '[nin]', '[under]']) {
      const answer = (slug: string) => service.http(SECRETS.viewer).get(`/api/cms/post?filter[tag]${op}=${slug}`);
      expect((await answer('filtered')).text).toBe((await answer('never-was')).text.replace('never-was', 'filtered'));
    }
  });

  it('comes with the first record that is published, and goes with the last', async () => {
    const id = await assign('Comes and goes');
    const set = (status: string) => service.http().put(`/api/cms/post/${id}`).send({ status }).expect(200);
    const seen = async () => [
      (await one(SECRETS.viewer, 'comes-and-goes')).status,
      (await listed(SECRETS.viewer, '?q=comes')).length,
    ];

    expect(await seen()).toEqual([404, 0]);
    await set('published');
    expect(await seen()).toEqual([200, 1]);
    await set('archived');
    expect(await seen()).toEqual([404, 0]);
    await set('published');
    await service.http().delete(`/api/cms/post/${id}`).expect(204);
    expect(await seen()).toEqual([404, 0]);
  });

  it('goes by the types whose drafts a caller may see', async () => {
    await service
      .http()
      .put('/api/admin/types/page')
      .send({ taxonomies: ['tag'] })
      .expect(200);
    await assign('Of a page', {}, 'page');
    await assign('Of a post');

    expect((await one(SECRETS.partly, 'of-a-page')).status).toBe(200);
    expect((await one(SECRETS.partly, 'of-a-post')).status).toBe(404);
    expect(await listed(SECRETS.partly, '?q=of%20a')).toEqual(['Of a page']);
  });

  it('is seen by those who manage terms, and by all when they have changed it', async () => {
    await assign('Raw');
    expect((await one(SECRETS.keeper, 'raw')).status).toBe(200);
    expect((await one(SECRETS.viewer, 'raw')).status).toBe(404);

    await service.http(SECRETS.keeper).put('/api/cms/taxonomy/tag/slug:raw').send({ name: 'Refined' }).expect(200);

    expect((await one(SECRETS.viewer, 'raw')).body.data).toMatchObject({ name: 'Refined', count: 0 });
  });

  it('differs from one that was made by hand, which is for all', async () => {
    await service.http().post('/api/cms/taxonomy').send({ type: 'tag', name: 'Made by hand' }).expect(201);
    await service.http().post('/api/cms/taxonomy').send({ type: 'category', name: 'A category' }).expect(201);

    expect((await one(SECRETS.viewer, 'made-by-hand')).body.data.count).toBe(0);
    await service.http(SECRETS.viewer).get('/api/cms/taxonomy/category/slug:a-category').expect(200);
  });

  it('is counted in pages, each without what is hidden', async () => {
    for (const n of [1, 2, 3, 4]) {
      await assign(`Paged ${n}`, { status: n % 2 === 0 ? 'published' : 'draft' });
    }
    const page = async (number: number) => {
      const { body } = await service
        .http(SECRETS.viewer)
        .get(`/api/cms/taxonomy/tag?q=paged&per_page=1&page=${number}`)
        .expect(200);
      return [(body.data as { name: string }[]).map(({ name }) => name), body.meta.total, body.meta.last_page];
    };

    expect(await page(1)).toEqual([['Paged 2'], 2, 2]);
    expect(await page(2)).toEqual([['Paged 4'], 2, 2]);
  });

  it('is in use without a number that the caller may not know', async () => {
    await assign('Counted');
    const remove = (token: string) => service.http(token).delete('/api/cms/taxonomy/tag/slug:counted');

    const refused = await remove(SECRETS.keeper);

    expectError(refused, 'term_in_use');
    expect(refused.body.details).toEqual([{ records: 0 }]);
    expect(refused.body.message).toContain('Records that you may not see use "Counted".');
    expect((await remove(TOKENS.admin)).body.details).toEqual([{ records: 1 }]);
  });
});
