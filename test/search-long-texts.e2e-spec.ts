import { UnitOfWork } from '../src/database/unit-of-work.js';
import { textAnalysis } from '../src/search/text/text-analysis.js';
import { startTestApp, type TestApp } from './support/test-app.js';

const LONG = 'several words '.repeat(5_000);

describe('Records with long texts', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    await service.close();
    await textAnalysis.stop();
  });

  const total = async (q: string): Promise<number> =>
    (await service.http().get(`/api/cms/search?q=${q}`).expect(200)).body.meta.total;

  it('are analysed once for each write, before its unit of work, and found by what was written last', async () => {
    // The first write of a caller has a unit of its own that writes down who that is.
    await service.http().post('/api/cms/post').send({ title: 'Short' }).expect(201);
    const order: string[] = [];
    const termsOf = textAnalysis.termsOf.bind(textAnalysis);
    jest.spyOn(textAnalysis, 'termsOf').mockImplementation(async (parts) => {
      const terms = await termsOf(parts);
      order.push('analysed');
      return terms;
    });
    const units = service.app.get(UnitOfWork);
    const run = units.run.bind(units);
    jest.spyOn(units, 'run').mockImplementation((work) => {
      order.push('unit');
      return run(work);
    });

    const post = { title: 'Long', body: `${LONG} firstly`, status: 'published' };
    const { id } = (await service.http().post('/api/cms/post').send(post).expect(201)).body.data;
    expect(order.slice(0, 2)).toEqual(['analysed', 'unit']);
    await service
      .http()
      .patch(`/api/cms/post/${id}`)
      .send({ body: `${LONG} secondly` })
      .expect(200);

    expect(order.filter((step) => step === 'analysed')).toHaveLength(2);
    expect([await total('firstly'), await total('secondly')]).toEqual([0, 1]);
  });
});
