import { Writer } from '../../src/database/statements/writer.js';
import type { SqlValue } from '../../src/database/statements/statement.js';
import { runner } from '../support/cli-runner.js';
import { Historian } from '../support/historian.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('A record with damaged contents', () => {
  let service: TestApp;
  let historian: Historian;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    historian = new Historian(service);
    const fields = [{ name: 'price', type: 'integer', indexed: true }];
    await service.http().put('/api/admin/types/post').send({ fields }).expect(200);
  });
  afterAll(() => service.close());

  const query = <Rows>(sql: string, values: readonly SqlValue[]): Promise<Rows> =>
    service.app.get(Writer, { strict: false }).source.query<Rows>(sql, [...values]);
  const damage = (id: number, column: 'data' | 'terms', text: string) =>
    query(`UPDATE record_contents SET ${column} = ? WHERE record_id = ?`, [text, id]);
  const list = (parameters = '') => service.http().get(`/api/cms/post?per_page=100${parameters}`);
  const aRecord = () =>
    historian.create({ title: 'One', body: 'Text', price: 7, status: 'published', terms: { tag: ['red'] } });

  describe.each([
    ['values are cut off', 'data', '{"f_'],
    ['values are no object', 'data', '[1]'],
    ['terms are cut off', 'terms', '{"tag":[1'],
    ['terms are no object', 'terms', '"tag"'],
    ['terms are no lists', 'terms', '{"tag":5}'],
    ['terms are no ids', 'terms', '{"tag":["red"]}'],
  ] as const)('of which the %s', (_, column, text) => {
    it('is shown without them, and in lists, exports and searches beside the others', async () => {
      const [id, other] = [await aRecord(), await aRecord()];
      await damage(id, column, text);

      const { body } = await list('&filter[price]=7').expect(200);
      expect(body.data.map((record: { id: number }) => record.id)).toEqual(expect.arrayContaining([id, other]));
      const { data } = (await historian.get(id).expect(200)).body;
      expect(data).toMatchObject({ title: 'One', body: 'Text', price: column === 'data' ? null : 7 });
      expect(data.terms.tag).toHaveLength(column === 'terms' ? 0 : 1);
      const lines = (await service.http().get('/api/cms/post/-/export?format=ndjson').expect(200)).text
        .trim()
        .split('\n');
      expect(lines.length).toBeGreaterThanOrEqual(2);
      await service.http().get('/api/cms/search?q=one').expect(200);
    });

    it('is whole again after a rollback', async () => {
      const id = await aRecord();
      const [first = 0] = await historian.times(id);
      await damage(id, column, text);

      await historian.post(`${id}/rollback/${first}`).expect(200);

      const { data } = (await historian.get(id)).body;
      expect(data).toMatchObject({ price: 7, terms: { tag: [expect.objectContaining({ slug: 'red' })] } });
      const { body } = await list('&filter[tag]=red').expect(200);
      expect(body.data.filter((record: { id: number }) => record.id === id)).toHaveLength(1);
    });
  });

  it('of which lists hold nothing in the place of an item is listed, expanded, written and restored', async () => {
    const fields = [
      { name: 'links', type: 'relation', to: ['post'], many: true },
      { name: 'labels', type: 'list', of: 'string', indexed: true },
    ];
    const made = await service.http().post('/api/admin/types').send({ name: 'gap', fields }).expect(201);
    const [links = '', labels = ''] = (made.body.data.fields as { id: string }[]).map(({ id }) => id);
    const target = await aRecord();
    const create = service
      .http()
      .post('/api/cms/gap')
      .send({ title: 'Gap', links: [target], labels: ['a'] });
    const { id } = (await create.expect(201)).body.data as { id: number };
    await damage(id, 'data', JSON.stringify({ [links]: [{ id: target, type: 'post' }, null], [labels]: [null, 'a'] }));

    const { body } = await service.http().get('/api/cms/gap?expand=links').expect(200);
    expect(body.data[0].links[0]).toMatchObject({ id: target, title: 'One' });
    await service.http().put(`/api/cms/gap/${id}`).send({ title: 'New' }).expect(200);
    await service.http().delete(`/api/cms/gap/${id}`).expect(204);
    await service.http().post(`/api/cms/gap/${id}/restore`).expect(200);
    const { out } = await runner({ DATABASE_URL: service.database.url })('doctor --deep');
    expect(out).not.toContain('Cannot read properties');
    await service.http().delete('/api/admin/types/gap?confirm=gap').expect(204);
  });

  it('is named by doctor, and so is one that has none', async () => {
    const doctor = runner({ DATABASE_URL: service.database.url });
    const [broken, empty] = [await aRecord(), await aRecord()];
    await damage(broken, 'data', '{"');
    await query('DELETE FROM record_contents WHERE record_id = ?', [empty]);

    const { code, out } = await doctor('doctor --deep');

    expect(code).toBe(1);
    expect(out).toContain(`post/${broken}: data is no JSON object`);
    expect(out).toContain(`post/${empty}: there are none`);
    expect(out).not.toContain('fail  sequences');
  });
});
