import { DOCUMENTS, QUERIES } from '../support/search-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Found {
  readonly slugs: readonly string[];
  readonly suggestion: string | null;
}

describe('The queries of the fixture', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp();
    for (const { slug, title, tags, body } of DOCUMENTS) {
      const record = { slug, title, body, terms: { tag: tags }, status: 'published' };
      const answer = await service.http().post('/api/cms/post').send(record);
      expect([slug, answer.status, answer.body.message]).toEqual([slug, 201, undefined]);
    }
  });

  afterAll(() => service.close());

  async function search(q: string): Promise<Found> {
    const { body, status } = await service.http().get('/api/cms/search').query({ q, per_page: 100 });
    expect([status, body.meta?.total]).toEqual([200, body.data?.length]);
    return { slugs: body.data.map(({ slug }: { slug: string }) => slug), suggestion: body.meta.suggestion ?? null };
  }

  it.each(QUERIES)('$q: $note', async ({ q, expect: expected, first, order, suggestion }) => {
    const found = await search(q);

    expect(found.slugs.toSorted()).toEqual([...expected].sort());
    if (first !== undefined) expect(found.slugs[0]).toBe(first);
    if (order !== undefined) expect(found.slugs).toEqual(order);
    if (suggestion !== undefined) expect(found.suggestion).toBe(suggestion);
  });
});
