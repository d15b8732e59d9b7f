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
    const next = await create({ title: 'Long', body: 'x'.repeat(1_000_000) });
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

  it('are counted together in a list, also those that are read when it is their turn', async () => {
    await define('book', []);
    await define('shelf', [{ name: 'books', type: 'relation', to: ['book'], many: true }]);
    const create = async (type: string, body: object): Promise<number> =>
      (await service.http().post(`/api/cms/${type}`).send(body).expect(201)).body.data.id;
    const books = [];
    for (const at of numbers(9)) books.push(await create('book', { title: `Book ${at}`, body: 'x'.repeat(1_000_000) }));
    for (const at of numbers(4)) await create('shelf', { title: `Shelf ${at}`, body: 'y'.repeat(70_000), books });

    const some = await service.http().get('/api/cms/shelf?expand=books&per_page=3');
    const all = await service.http().get('/api/cms/shelf?expand=books');

    expect([some.status, some.body.data.length, some.body.data[2].books.length]).toEqual([200, 3, 9]);
    expect([all.status, all.body.error]).toEqual([400, 'invalid_query']);
  });
});
