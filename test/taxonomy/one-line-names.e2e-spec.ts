import { execute } from '../../src/database/statements/statement.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
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
  const { freshName, aTypeWith } = typeRequests(() => service);

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(() => service.close());

  const post = (url: string, body: object) => service.http().post(url).send(body);
  const put = (url: string, body: object) => service.http().put(url).send(body);
  /** As an earlier release has taken it. */
  const write = (sql: string, values: readonly (string | number)[]): Promise<unknown> =>
    service.app.get(UnitOfWork).run((manager) => execute(manager, sql, [...values]));

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

  it('that an earlier release has taken is shown, and the rest beside it can be changed', async () => {
    const type = await aTaxonomy(false);
    const { id } = await aTerm(type, 'Former');
    await write('UPDATE terms SET name = ? WHERE id = ?', [OVERRIDE, id]);
    const changed = await put(`${path(type)}/${id}`, { description: 'Kept.' }).expect(200);
    expect(changed.body.data).toMatchObject({ name: OVERRIDE, description: 'Kept.' });

    const name = await aTypeWith([{ name: 'a', type: 'text', label: 'FORMER' }]);
    const url = `/api/admin/types/${name}`;
    await write("UPDATE content_fields SET options = REPLACE(options, 'FORMER', ?)", [OVERRIDE]);
    await write('UPDATE content_types SET version = version + 1 WHERE name = ?', [name]);
    const fields = [{ name: 'a', type: 'text', label: OVERRIDE, min_length: 2 }];
    await put(url, { label: 'Other', fields }).expect(200);
    await put(url, { fields: [{ ...fields[0], min_length: 3, max_length: 1 }] }).expect(422);
    expect(faultsOf(await put(url, { label: `${OVERRIDE}!` }))).toEqual(['label: control']);
  });
});
