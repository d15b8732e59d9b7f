import { startTestApp, type TestApp } from '../support/test-app.js';

const COMPOSED = 'caf\u00e9';
const DECOMPOSED = 'cafe\u0301';
const path = (slug: string) => encodeURIComponent(slug);

describe('Slugs of terms that look the same', () => {
  let service: TestApp;

  beforeEach(async () => {
    service = await startTestApp();
  });

  afterEach(() => service.close());

  const term = async (body: object) =>
    (
      await service
        .http()
        .post('/api/cms/taxonomy')
        .send({ type: 'category', name: 'Café', ...body })
        .expect(201)
    ).body.data;
  const get = (rest: string) => service.http().get(`/api/cms/${rest}`);
  const idsOf = async (rest: string) => (await get(rest).expect(200)).body.data.map(({ id }: { id: number }) => id);

  it('are the same', async () => {
    expect((await term({ slug: DECOMPOSED })).slug).toBe(COMPOSED);

    const second = await service.http().post('/api/cms/taxonomy').send({ type: 'category', name: 'x', slug: COMPOSED });

    expect([second.status, second.body.error]).toEqual([409, 'term_exists']);
  });

  it.each([COMPOSED, DECOMPOSED])('are found in each form: %#', async (sent) => {
    const { id } = await term({ slug: DECOMPOSED });
    const child = await term({ name: 'Bar', parent_id: id });
    const { body } = await service
      .http()
      .post('/api/cms/post')
      .send({ title: 'A', terms: { category: [sent] } })
      .expect(201);
    const record = body.data.id;

    expect(child.path).toBe(`${COMPOSED}/bar`);
    expect((await get(`taxonomy/category/slug:${path(sent)}`).expect(200)).body.data.id).toBe(id);
    expect(await idsOf(`post?filter[category]=${path(sent)}`)).toEqual([record]);
    expect(await idsOf(`post?filter[category][under]=${path(sent)}`)).toEqual([record]);
    expect(await idsOf(`post?filter[category][in]=${path(sent)},x`)).toEqual([record]);
    expect(await idsOf(`post?filter[category][ne]=${path(sent)}`)).toEqual([]);
    const changed = await service
      .http()
      .put(`/api/cms/taxonomy/category/slug:${path(sent)}`)
      .send({ slug: sent });
    expect([changed.status, changed.body.data.slug]).toEqual([200, COMPOSED]);
    await service
      .http()
      .delete(`/api/cms/taxonomy/category/slug:${path(sent)}?force=true`)
      .expect(204);
  });

  it.each([COMPOSED, DECOMPOSED])('of records are found by filters in each form: %#', async (sent) => {
    const { body } = await service.http().post('/api/cms/post').send({ title: 'A', slug: DECOMPOSED }).expect(201);

    expect(await idsOf(`post?filter[slug]=${path(sent)}`)).toEqual([body.data.id]);
    expect(await idsOf(`post?filter[slug][in]=${path(sent)},x`)).toEqual([body.data.id]);
    expect(await idsOf(`post?filter[slug][ne]=${path(sent)}`)).toEqual([]);
  });
});
