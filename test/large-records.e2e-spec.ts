import { startTestApp, type TestApp } from './support/test-app.js';

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
});
