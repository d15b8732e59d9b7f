import { startTestApp, type TestApp } from '../support/test-app.js';
import { taxonomyRequests } from '../support/taxonomy-requests.js';
import { faultsOf, typeRequests } from '../support/type-requests.js';

const OVERRIDE = 'ab\u202edc';
/** Names that read as another one, or stand on two lines. */
const MISLEADING = [OVERRIDE, 'a\u2066b', 'a\u2069b', 'a\u202ab', 'a\u2028b', 'a\u2029b'];
/** Joiners of emoji and Persian, and marks of direction that belong to words. */
const PROPER = ['👩\u200d💻', 'می\u200cخواهم', 'a\u200eb', 'שלום עולם', 'Ünder 日本'];

describe('A name of one line', () => {
  let service: TestApp;
  const { create, aTaxonomy, aTerm, path } = taxonomyRequests(() => service);
  const { freshName } = typeRequests(() => service);

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(() => service.close());

  const post = (url: string, body: object) => service.http().post(url).send(body);
  const put = (url: string, body: object) => service.http().put(url).send(body);

  it.each(MISLEADING.map((name) => [JSON.stringify(name), name]))('may not be %s', async (_, name) => {
    const type = await aTaxonomy(false);
    const term = await aTerm(type, 'Plain');
    const refusals = [
      await create({ type, name }),
      await put(`${path(type)}/${term.id}`, { name }),
      await post('/api/admin/taxonomies', { name: 'refused', label: name }),
      await post('/api/admin/types', { name: 'refused', label: name }),
      await post('/api/admin/types', { name: 'refused', fields: [{ name: 'a', type: 'text', label: name }] }),
      await post('/api/cms/post', { title: 'A', terms: { tag: [name] } }),
    ];

    expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 422));
    expect(refusals.map((one) => faultsOf(one).at(-1))).toEqual([
      'name: control',
      'name: control',
      'label: control',
      'label: control',
      'fields.0.label: control',
      'terms.tag.0: pattern',
    ]);
  });

  it.each(PROPER)('may be %s', async (name) => {
    const type = await aTaxonomy(false);

    expect((await aTerm(type, name, { slug: 'proper' })).name).toBe(name);
    await post('/api/admin/types', { name: freshName(), label: name }).expect(201);
  });
});
