import { expectError } from '../support/errors.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

describe('GET /api/cms/search', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(() => service.close());

  const search = async (query: string, token?: string) => {
    const { body, status } = await service.http(token).get(`/api/cms/search?${query}`);
    expect([status, body.message]).toEqual([200, undefined]);
    return body;
  };
  const titles = async (q: string, token?: string): Promise<string[]> =>
    (await search(`q=${encodeURIComponent(q)}`, token)).data.map(({ title }: { title: string }) => title);
  const create = async (body: object, type = 'post'): Promise<number> => {
    const answer = await service.http().post(`/api/cms/${type}`).send(body).expect(201);
    return answer.body.data.id;
  };

  it('finds a record as soon as it was created, and shows where', async () => {
    const body = 'Cassini saw <b>rings</b> & moons.';
    const id = await create({ title: 'Saturn by night', body, status: 'published' });

    const { data, meta } = await search('q=cassini');

    expect(data).toEqual([
      {
        id,
        type: 'post',
        title: 'Saturn by night',
        slug: 'saturn-by-night',
        status: 'published',
        url: expect.stringMatching(/\/post\/saturn-by-night$/),
        score: expect.any(Number),
        excerpt: '<mark>Cassini</mark> saw rings &amp; moons.',
        highlights: { title: 'Saturn by night' },
        published_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    expect(meta).toEqual({
      total: 1,
      per_page: 15,
      current_page: 1,
      last_page: 1,
      query: 'cassini',
      took_ms: expect.any(Number),
    });
  });

  it('follows every change at once: text, status, trash, restoring, deletion', async () => {
    const id = await create({ title: 'Perseids', body: 'meteors in august', status: 'published' });
    const path = `/api/cms/post/${id}`;

    await service.http().patch(path).send({ body: 'fireballs in august' }).expect(200);
    expect([await titles('meteors'), await titles('fireballs')]).toEqual([[], ['Perseids']]);

    await service.http().patch(path).send({ status: 'draft' }).expect(200);
    expect([await titles('fireballs'), await titles('fireballs', TOKENS.reader)]).toEqual([['Perseids'], []]);

    await service.http().delete(path).expect(204);
    expect(await titles('fireballs')).toEqual([]);

    await service.http().post(`${path}/restore`).expect(200);
    expect(await titles('fireballs')).toEqual(['Perseids']);

    await service.http().delete(`${path}?permanent=true`).expect(204);
    expect(await titles('fireballs')).toEqual([]);
  });

  it('ranks title before terms before body, and equals by age', async () => {
    await create({ title: 'Old body', body: 'quasar', status: 'published' });
    await create({ title: 'New body', body: 'quasar', status: 'published' });
    await create({ title: 'Tagged', body: 'nothing here', terms: { tag: ['Quasar'] }, status: 'published' });
    await create({ title: 'Quasar seen', body: 'nothing else', status: 'published' });

    expect(await titles('quasar')).toEqual(['Quasar seen', 'Tagged', 'New body', 'Old body']);
  });

  it('suggests what was probably meant', async () => {
    await create({ title: 'Aurora borealis', body: 'green light', status: 'published' });

    expect((await search('q=aurroa')).meta).toMatchObject({ total: 0, suggestion: 'aurora' });
    expect((await search('q=green+aurra')).meta).toMatchObject({ total: 0, suggestion: 'green aurora' });
    expect((await search('q=boreali+green')).meta).toMatchObject({ total: 0, suggestion: 'borealis green' });
  });

  it('never suggests a word that only records have which the caller must not see', async () => {
    await create({ title: 'Zodiacal embargo', body: 'secret', status: 'draft' });

    expect((await search('q=zodiacla', TOKENS.reader)).meta.suggestion).toBeUndefined();
    expect((await search('q=zodiacla')).meta.suggestion).toBe('zodiacal');
  });

  it('counts hits by type and by status, each as if it were not narrowed by that', async () => {
    await create({ title: 'Quagga one', status: 'published' });
    await create({ title: 'Quagga two' });
    await create({ title: 'Quagga page' }, 'page');
    const facets = async (more = '', token?: string) =>
      (await search(`q=quagga&facets=type,status${more}`, token)).meta.facets;

    expect(await facets()).toEqual({
      type: { post: 2, page: 1 },
      status: { draft: 2, published: 1, archived: 0 },
    });
    expect(await facets('&type=page&status=draft')).toEqual({
      type: { post: 1, page: 1 },
      status: { draft: 1, published: 0, archived: 0 },
    });
    expect((await search('q=quagga&facets=status&type=post')).meta.facets).toEqual({
      status: { draft: 1, published: 1, archived: 0 },
    });
    expect(await facets('', TOKENS.reader)).toEqual({ type: { post: 1, page: 0 }, status: { published: 1 } });
    expect((await search('q=quagga')).meta).not.toHaveProperty('facets');
    expectError(await service.http().get('/api/cms/search?q=quagga&facets=author'), 'invalid_query');
  });

  it('answers the first hits without counting them', async () => {
    await create({ title: 'Uncounted', status: 'published' });

    const { data, meta } = await search('q=uncou&count=none&per_page=3');

    expect(data).toHaveLength(1);
    expect(meta).toEqual({ per_page: 3, current_page: 1, query: 'uncou', took_ms: expect.any(Number) });
    for (const more of ['page=2', 'facets=type', 'count=some']) {
      expectError(await service.http().get(`/api/cms/search?q=uncou&count=none&${more}`), 'invalid_query');
    }
    expect((await search('q=uncuonted&count=none')).meta.suggestion).toBe('uncounted');
  });

  it('shows a hit as it is now, whatever was shown of it before', async () => {
    await service.http().post('/api/admin/types').send({ name: 'comet', url_path: '/c/{slug}' }).expect(201);
    const id = await create({ title: 'Halley', body: 'tail of ice', slug: 'halley' }, 'comet');
    const shown = async () => (await search('q=tail')).data;
    const [first] = await shown();
    expect(await shown()).toEqual([{ ...first, status: 'draft', published_at: null, score: 1 }]);

    await service.http().patch(`/api/cms/comet/${id}`).send({ title: 'Tail', status: 'published' }).expect(200);
    await service.http().put('/api/admin/types/comet').send({ url_path: '/comets/{id}' }).expect(200);
    await create({ title: 'Encke', body: 'a tail' }, 'comet');

    const [changed, other] = await shown();
    expect(changed).toMatchObject({ title: 'Tail', highlights: { title: '<mark>Tail</mark>' }, status: 'published' });
    expect(changed).toMatchObject({ url: expect.stringMatching(`/comets/${id}$`), published_at: expect.any(String) });
    expect(other).toMatchObject({ title: 'Encke', excerpt: 'a <mark>tail</mark>' });
    await service.http().delete(`/api/cms/comet/${id}`).expect(204);
    expect(await shown()).toEqual([{ ...other, score: 1 }]);
  });
});
