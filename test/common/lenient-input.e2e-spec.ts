import { startTestApp, type TestApp } from '../support/test-app.js';
import { faultsOf, typeRequests } from '../support/type-requests.js';

const COMPOSED = 'caf\u00e9';
const DECOMPOSED = 'cafe\u0301';

describe('What is sent in more than one form', () => {
  let service: TestApp;
  const { aTypeWith, aRecord } = typeRequests(() => service);

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(() => service.close());

  const get = (path: string) => service.http().get(encodeURI(path));

  it('makes a slug from the title when it is null', async () => {
    const { status, body } = await service.http().post('/api/cms/post').send({ title: 'Without one', slug: null });

    expect([status, body.data.slug]).toEqual([201, 'without-one']);
    const changed = await service.http().put(`/api/cms/post/${body.data.id}`).send({ slug: null });
    expect(changed.status).toBe(422);
  });

  it('keeps one form of a slug, and finds it by each', async () => {
    const id = await aRecord('post', { slug: DECOMPOSED });

    expect((await get(`/api/cms/post/slug:${COMPOSED}`)).body.data).toMatchObject({ id, slug: COMPOSED });
    expect((await get(`/api/cms/post/slug:${DECOMPOSED}`)).body.data.id).toBe(id);
    const twin = await service.http().post('/api/cms/post').send({ title: 'Twin', slug: COMPOSED });
    expect([twin.status, twin.body.error]).toEqual([409, 'slug_taken']);
  });

  it('compares texts as far as the index holds them, and refuses longer ones', async () => {
    const type = await aTypeWith([{ name: 'code', type: 'string', indexed: true }]);
    const long = 'x'.repeat(195);
    const id = await aRecord(type, { code: long });
    const other = await aRecord(type, { code: 'x'.repeat(190) });
    const list = (op: string, value: string) => get(`/api/cms/${type}?filter[code][${op}]=${value}`);

    for (const op of ['eq', 'ne', 'in', 'lt', 'contains', 'starts']) {
      expect([op, (await list(op, 'x'.repeat(191))).status]).toEqual([op, 400]);
    }
    const equal = await list('eq', 'x'.repeat(190));
    const unequal = await list('ne', 'x'.repeat(190));
    expect(equal.body.data.map((one: { id: number }) => one.id)).toEqual([other]);
    expect(unequal.body.data.map((one: { id: number }) => one.id)).toEqual([id]);
  });

  it.each([
    ...['/{slug}//x', '//{slug}', '/../../{slug}', '/./{slug}', '/{slug}/..', '/{slug}?x', '/{slug}#x'],
    ...['/%2e%2e/{slug}', '/%2E/{slug}', '/.%2e/{slug}', '/..%2f{slug}'],
  ])('refuses the path %s of a type', async (path) => {
    const answer = await service.http().post('/api/admin/types').send({ name: 'walker', url_path: path });

    expect([answer.status, faultsOf(answer)]).toEqual([422, ['url_path: pattern']]);
  });

  it.each(['/a/{slug}/', '/a.b/{slug}', '/{type}/{locale}/{slug}'])('takes the path %s', async (path) => {
    const name = `path-${path.length}`;
    await service.http().post('/api/admin/types').send({ name, url_path: path }).expect(201);
  });

  it('asks before records lose the terms of a taxonomy', async () => {
    await service.http().post('/api/admin/taxonomies').send({ name: 'mood' }).expect(201);
    await service
      .http()
      .post('/api/admin/types')
      .send({ name: 'moody', taxonomies: ['mood', 'tag'] })
      .expect(201);
    await aRecord('moody', { terms: { mood: ['sad'] } });
    const change = (taxonomies: string[], query = '') =>
      service.http().put(`/api/admin/types/moody${query}`).send({ taxonomies });

    expect((await change(['mood'])).status).toBe(200);
    const refused = await change([]);
    const confirmed = await change([], '?confirm=moody');

    expect([refused.status, refused.body.details]).toEqual([
      409,
      [{ field: 'mood', change: 'removed', records: 1, ids: [expect.any(Number)] }],
    ]);
    expect(confirmed.status).toBe(200);
  });
});
