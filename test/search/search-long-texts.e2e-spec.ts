import { startTestApp, type TestApp } from '../support/test-app.js';

const LONG = 'several words '.repeat(5_000);

describe('Records with long texts', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(() => service.close());

  const total = async (q = ''): Promise<number> =>
    (await service.http().get(`/api/cms/search?q=${q}`).expect(200)).body.meta.total;

  it('are found by what was written last', async () => {
    const post = { title: 'Long', body: `${LONG} firstly`, status: 'published' };
    const { id } = (await service.http().post('/api/cms/post').send(post).expect(201)).body.data;
    await service
      .http()
      .patch(`/api/cms/post/${id}`)
      .send({ body: `${LONG} secondly` })
      .expect(200);

    expect([await total('firstly'), await total('secondly')]).toEqual([0, 1]);
  });

  it('with very many different words are found by the first 50,000 of them, and by no former one', async () => {
    const words = (first: number) => Array.from({ length: 60_000 }, (_, n) => `w${(first + n).toString(36)}x`);
    const [before, after] = [words(1_000_000), words(2_000_000)];
    const post = { title: 'Many words', body: before.join(' '), status: 'published' };

    const { id } = (await service.http().post('/api/cms/post').send(post).expect(201)).body.data;
    const found = [await total(before[0]), await total(before[49_999]), await total(before[50_000])];
    expect(found).toEqual([1, 1, 0]);
    await service
      .http()
      .patch(`/api/cms/post/${id}`)
      .send({ body: after.join(' ') })
      .expect(200);

    expect([await total(before[49_999]), await total(after[0]), await total(after[49_999])]).toEqual([0, 1, 1]);
  });
});
