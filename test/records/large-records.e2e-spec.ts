import { startTestApp, type TestApp } from '../support/test-app.js';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

describe('Large records', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(() => service.close());

  const define = (name: string, fields: object[]) =>
    service.http().post('/api/admin/types').send({ name, fields }).expect(201);

  it('are indexed by more values than one statement can take', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    await define(
      'grid',
      names.map((name) => ({ name, type: 'list', of: 'integer', indexed: true })),
    );

    const full = Object.fromEntries(names.map((name) => [name, numbers(1_000)]));
    const answer = await service
      .http()
      .post('/api/cms/grid')
      .send({ title: 'Full', ...full });

    expect(answer.status).toBe(201);
    const last = await service.http().get('/api/cms/grid?filter[e]=999&fields=id');
    expect(last.body.data).toEqual([{ id: answer.body.data.id }]);
  });

  it('are not put into one answer so often that it bursts', async () => {
    await define('node', [
      { name: 'next', type: 'relation', to: ['node'] },
      { name: 'all', type: 'relation', to: ['node'], many: true },
    ]);
    const create = async (body: object): Promise<number> =>
      (await service.http().post('/api/cms/node').send(body).expect(201)).body.data.id;
    const next = await create({ title: 'Long', body: 'x'.repeat(200_000) });
    const all = [];
    for (const at of numbers(40)) all.push(await create({ title: `Between ${at}`, next }));
    const top = await create({ title: 'Top', all });

    const one = await service.http().get(`/api/cms/node/${top}?expand=all`);
    const two = await service.http().get(`/api/cms/node/${top}?expand=all.next`);

    expect([one.status, one.body.data.all.length]).toEqual([200, 40]);
    expect([two.status, two.body.error, two.body.details]).toEqual([
      400,
      'invalid_query',
      [expect.objectContaining({ field: 'expand', rule: 'max' })],
    ]);
  });

  it('are counted together in a list, also those that are read by themselves', async () => {
    await define('book', []);
    await define('shelf', [{ name: 'books', type: 'relation', to: ['book'], many: true }]);
    const create = async (type: string, body: object): Promise<number> =>
      (await service.http().post(`/api/cms/${type}`).send(body).expect(201)).body.data.id;
    const books = [];
    for (const at of numbers(9)) books.push(await create('book', { title: `Book ${at}`, body: 'x'.repeat(140_000) }));
    for (const at of numbers(4)) await create('shelf', { title: `Shelf ${at}`, body: 'y'.repeat(70_000), books });

    const some = await service.http().get('/api/cms/shelf?expand=books&per_page=3');
    const all = await service.http().get('/api/cms/shelf?expand=books');

    expect([some.status, some.body.data.length, some.body.data[2].books.length]).toEqual([200, 3, 9]);
    expect([all.status, all.body.error]).toEqual([400, 'invalid_query']);
  });

  describe('of many terms', () => {
    const taxonomies = numbers(10).map((at) => `facet${at}`);
    const fields = numbers(30).map((at) => ({ name: `m${at}`, type: 'relation', to: ['tagged'], many: true }));
    const terms = Object.fromEntries(
      taxonomies.map((name) => [name, numbers(100).map((at) => `Term ${at} of ${name}`)]),
    );
    let ids: number[];

    beforeAll(async () => {
      const post = (path: string, body: object) => service.http().post(path).send(body).expect(201);
      for (const name of taxonomies) await post('/api/admin/taxonomies', { name, hierarchical: false });
      await post('/api/admin/types', { name: 'tagged', taxonomies, fields: [] });
      await post('/api/admin/types', { name: 'hub', fields });
      ids = [];
      for (const at of numbers(20)) ids.push((await post('/api/cms/tagged', { title: `${at}`, terms })).body.data.id);
    });

    it('count with these in the place of references', async () => {
      const all = Object.fromEntries(fields.map(({ name }) => [name, ids]));
      const hub = (
        await service
          .http()
          .post('/api/cms/hub')
          .send({ title: 'All', ...all })
      ).body.data.id;

      const one = await service.http().get(`/api/cms/hub/${hub}?expand=m0`);
      const every = await service.http().get(`/api/cms/hub/${hub}?expand=${fields.map(({ name }) => name).join()}`);

      expect([one.status, one.body.data.m0.length, one.body.data.m0[19].terms.facet9.length]).toEqual([200, 20, 100]);
      expect([every.status, every.body.error, every.body.details]).toEqual([
        400,
        'invalid_query',
        [expect.objectContaining({ field: 'expand', rule: 'max' })],
      ]);
    });

    it.each(['', 'sort=title', 'fields=title,terms'])('are shown in lists as they are alone: %s', async (query) => {
      const page = await service.http().get(`/api/cms/tagged?per_page=100&${query}`);
      const again = await service.http().get(`/api/cms/tagged?per_page=100&${query}`);

      const [first] = page.body.data;
      const named = query.includes('fields') ? `?${query}` : '';
      const alone = await service.http().get(`/api/cms/tagged/${ids[19] ?? 0}${named}`);
      expect([page.status, page.body.data.length, page.body.meta.total]).toEqual([200, 20, 20]);
      expect(page.body.data.find(({ title }: { title: string }) => title === '19')).toEqual(alone.body.data);
      expect(first.terms.facet0[99]).toEqual(expect.objectContaining({ name: 'Term 99 of facet0' }));
      expect([again.text === page.text, again.headers.etag]).toEqual([true, page.headers.etag]);
    });
  });
});
