import type { Logger } from 'pino';
import type { Response } from 'supertest';
import { LOG } from '../../src/common/logging/logging.module.js';
import { ContentTypesService } from '../../src/content-types/store/content-types.service.js';
import type { SqlValue } from '../../src/database/statements/statement.js';
import { Writer } from '../../src/database/statements/writer.js';
import { IndexingJobs } from '../../src/search/indexing/indexing-jobs.js';
import { IndexingQueue } from '../../src/search/indexing/indexing-queue.js';
import { runner } from '../support/cli-runner.js';
import { expectError } from '../support/errors.js';
import { Historian } from '../support/historian.js';
import { folderOf } from '../support/import-files.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const isServer = process.env.TEST_DATABASE_URL !== undefined;

/** What stands in a damaged cell may be all that is left of it: it is replaced on purpose only. */
describe('Damaged contents of a record', () => {
  let service: TestApp;
  let historian: Historian;
  let last = 0;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    historian = new Historian(service);
    const fields = [
      { name: 'price', type: 'integer', indexed: true },
      { name: 'colour', type: 'string', searchable: true },
    ];
    await service.http().put('/api/admin/types/post').send({ fields }).expect(200);
    // A job that came later would index damaged contents, which have no words.
    do await service.app.get(IndexingJobs).drain();
    while ((await service.app.get(IndexingQueue).count()) > 0);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  const query = <Rows>(sql: string, values: readonly SqlValue[]): Promise<Rows> =>
    service.app.get(Writer, { strict: false }).source.query<Rows>(sql, [...values]);
  const http = () => service.http();
  const damage = (id: number, column: string, text: string) =>
    query(`UPDATE record_contents SET ${column} = ? WHERE record_id = ?`, [text, id]);

  async function cellsOf(id: number): Promise<Record<string, string>> {
    const sql = 'SELECT body, data, terms FROM record_contents WHERE record_id = ?';
    return (await query<Record<string, string>[]>(sql, [id]))[0] ?? {};
  }

  const put = (id: number, body: object): Promise<Response> => http().put(`/api/cms/post/${id}`).send(body);
  const aRecord = (terms: object = {}, body: object = {}) =>
    historian.create({ title: 'One', price: 7, colour: 'blue', status: 'published', terms, ...body });
  const aTag = (): string => `tag-${++last}`;
  const countOf = async (tag: string): Promise<number> =>
    (await http().get(`/api/cms/taxonomy/tag/slug:${tag}`).expect(200)).body.data.count;
  const found = async (tag: string): Promise<number> =>
    (await http().get(`/api/cms/post?filter[tag]=${tag}`).expect(200)).body.meta.total;

  /** How often it was logged that a record stays as it is. */
  function kept(id: number): () => number {
    const warn = jest.spyOn(service.app.get<Logger>(LOG), 'warn');
    return () =>
      warn.mock.calls.filter(([facts, text]) => {
        const { recordId } = facts as { recordId?: number };
        return recordId === id && String(text).includes('is not rewritten');
      }).length;
  }

  describe.each([
    ['values', 'data', '{"f_1":7,'],
    ['terms', 'terms', '{"tag":['],
  ] as const)('of which the %s cannot be read', (_, column, text) => {
    it('refuse a change that would keep a part of them, and a change of nothing is none', async () => {
      const id = await aRecord({ tag: ['red'] });
      await damage(id, column, text);
      const before = await cellsOf(id);

      for (const body of [{ title: 'Two' }, { body: 'New' }, { price: 8 }, { terms: { tag: ['blue'] } }]) {
        const answer = await put(id, body);
        expectError(answer, 'record_damaged');
        expect(answer.body.details).toEqual([{ column }]);
      }
      expect((await put(id, {})).status).toBe(200);

      expect(await cellsOf(id)).toEqual(before);
      expect((await historian.get(id)).body.data.version).toBe(1);
    });

    it('are replaced by a body that holds all of them', async () => {
      const id = await aRecord({ tag: ['red'] });
      await damage(id, column, text);
      const whole = column === 'data' ? { price: null, colour: 'green' } : { terms: { tag: ['blue'], category: [] } };

      expect((await put(id, whole)).status).toBe(200);

      const { data } = (await historian.get(id)).body;
      expect(data).toMatchObject(
        column === 'data'
          ? { price: null, colour: 'green', terms: { tag: [{ slug: 'red' }] } }
          : { price: 7, colour: 'blue', terms: { tag: [{ slug: 'blue' }] } },
      );
      expect((await put(id, { title: 'Two' })).status).toBe(200);
    });

    it('are replaced by a rollback of everything, and not by one of a part', async () => {
      const id = await historian.create({ title: 'One' });
      const [first = 0] = await historian.times(id);
      await damage(id, column, text);

      await historian.post(`${id}/rollback/${first}?dry_run=true`).expect(200);
      expect((await cellsOf(id))[column]).toBe(text);
      await damage(id, 'body', 'Another body');
      expectError(await historian.post(`${id}/rollback/${first}`, { fields: ['body'] }), 'record_damaged');
      expect((await cellsOf(id))[column]).toBe(text);
      await historian.post(`${id}/rollback/${first}`).expect(200);

      expect((await cellsOf(id))[column]).toBe(column === 'data' ? '{}' : null);
      expect((await put(id, { title: 'Two' })).status).toBe(200);
    });

    it('are left as they are by the trash, whose restore makes no revision without them', async () => {
      const id = await aRecord({ tag: ['red'] });
      await damage(id, column, text);
      const before = await cellsOf(id);

      await http().delete(`/api/cms/post/${id}`).expect(204);
      await historian.post(`${id}/restore`).expect(200);

      expect(await cellsOf(id)).toEqual(before);
      expect(await historian.history(id)).toHaveLength(1);
      const [first = 0] = await historian.times(id);
      await historian.post(`${id}/rollback/${first}`).expect(200);
      const { data } = (await historian.get(id)).body;
      expect(data).toMatchObject({ price: 7, colour: 'blue', terms: { tag: [{ slug: 'red' }] } });
      await http().delete(`/api/cms/post/${id}?permanent=true`).expect(204);
    });

    it('are passed over by a merge of terms, which ends all the same', async () => {
      const [from, into] = [aTag(), aTag()];
      const [id, other] = [await aRecord({ tag: [from] }), await aRecord({ tag: [from, into] })];
      await damage(id, column, text);
      const before = await cellsOf(id);
      const warned = kept(id);

      await http().post(`/api/cms/taxonomy/tag/slug:${from}/merge`).send({ into }).expect(200);

      expect(await cellsOf(id)).toEqual(before);
      expect((await historian.get(other)).body.data.terms.tag).toEqual([expect.objectContaining({ slug: into })]);
      expect(await query('SELECT term_id FROM term_redirects WHERE is_pending = 1', [])).toEqual([]);
      expect(warned()).toBe(1);
    });

    it('are passed over by the deletion of a term, which ends all the same', async () => {
      const tag = aTag();
      const [id, other] = [await aRecord({ tag: [tag] }), await aRecord({ tag: [tag] })];
      await damage(id, column, text);
      const before = await cellsOf(id);

      await http().delete(`/api/cms/taxonomy/tag/slug:${tag}?force=true`).expect(204);

      expect(await cellsOf(id)).toEqual(before);
      expect((await historian.get(other)).body.data.terms.tag).toEqual([]);
      expect(await query('SELECT term_id FROM term_redirects WHERE is_pending = 1', [])).toEqual([]);
    });

    it('are passed over when the type loses a taxonomy', async () => {
      const name = `loser-${column}`;
      await http()
        .post('/api/admin/types')
        .send({ name, taxonomies: ['tag'], fields: [{ name: 'price', type: 'integer' }] })
        .expect(201);
      const records = new Historian(service, name);
      const [id, other] = [
        await records.create({ title: 'One', price: 7, terms: { tag: ['red'] } }),
        await records.create({ title: 'Two', terms: { tag: ['red'] } }),
      ];
      await damage(id, column, text);
      const before = await cellsOf(id);

      await http().put(`/api/admin/types/${name}?confirm=${name}`).send({ taxonomies: [] }).expect(200);

      expect(await cellsOf(id)).toEqual(before);
      expect((await cellsOf(other)).terms).toBeNull();
      expect(await query('SELECT id FROM type_departures', [])).toEqual([]);
    });
  });

  it('are refused by an import for the items that do not hold all of them, and the others are written', async () => {
    const cli = runner({ DATABASE_URL: service.database.url });
    const folder = folderOf({ 'items.csv': 'id,title,price,colour\n1,First,1,red\n2,Second,2,red\n3,Third,3,red\n' });
    const imported = async () => {
      const { out } = await cli(['import', `${folder.path}/items.csv`, '--json']);
      service.app.get(ContentTypesService).refresh();
      return JSON.parse(out) as { counts: object; problems: object[] };
    };
    await imported();
    const ids = await query<{ id: number }[]>(
      "SELECT id FROM records WHERE title IN ('First', 'Second') ORDER BY id",
      [],
    );
    const [first = 0, second = 0] = ids.map(({ id }) => id);
    await damage(first, 'data', '{"');
    await damage(second, 'terms', '{"');
    folder.remove();

    const again = folderOf({ 'items.csv': 'id,title,price,colour\n1,First,4,red\n2,Second,5,red\n3,Third,6,red\n' });
    const { out } = await cli(['import', `${again.path}/items.csv`, '--json']);
    again.remove();

    const report = JSON.parse(out) as { counts: object; problems: { message: string }[] };
    expect(report.counts).toEqual({ created: 0, updated: 2, unchanged: 0, refused: 1 });
    expect(report.problems).toEqual([
      { file: 'items.csv', line: 3, message: expect.stringContaining('terms of the record') },
    ]);
    expect((await cellsOf(second)).terms).toBe('{"');
  });

  it('leave no word in the search when they are replaced by nothing', async () => {
    const id = await aRecord({}, { colour: 'turquoise' });
    await damage(id, 'data', '{"');
    const hits = async () => (await http().get('/api/cms/search?q=turquoise').expect(200)).body.meta.total;
    expect(await hits()).toBe(1);

    expect((await put(id, { price: null, colour: null })).status).toBe(200);

    expect(await hits()).toBe(0);
  });

  // A column of text of a server holds nothing else.
  if (!isServer)
    it.each(['data', 'terms'])('hold no bytes in the place of a text in %s', async (column) => {
      const id = await aRecord({ tag: [aTag()] });
      await query(`UPDATE record_contents SET ${column} = CAST(${column} AS BLOB) WHERE record_id = ?`, [id]);
      const before = await cellsOf(id);

      expectError(await put(id, { body: 'New' }), 'record_damaged');

      expect(await cellsOf(id)).toEqual(before);
    });

  it('begin no history, where there is none from before', async () => {
    const id = await aRecord();
    await query('DELETE FROM revisions WHERE record_id = ?', [id]);
    await damage(id, 'data', '{"');

    expect((await put(id, { price: 1, colour: 'red' })).status).toBe(200);

    expect((await historian.history(id)).map(({ version }) => version)).toEqual([2]);
  });

  it('do not make the counts of terms wrong', async () => {
    const tags = { trashed: aTag(), removed: aTag(), rolledBack: aTag(), replaced: aTag() };
    const aDamagedRecord = async (tag: string): Promise<number> => {
      const id = await aRecord({ tag: [tag] });
      await damage(id, 'terms', '{"tag":["');
      return id;
    };

    await http()
      .delete(`/api/cms/post/${await aDamagedRecord(tags.trashed)}`)
      .expect(204);
    await http()
      .delete(`/api/cms/post/${await aDamagedRecord(tags.removed)}?permanent=true`)
      .expect(204);
    const rolledBack = await aDamagedRecord(tags.rolledBack);
    await historian.post(`${rolledBack}/rollback/${String((await historian.times(rolledBack))[0])}`).expect(200);
    expect((await put(await aDamagedRecord(tags.replaced), { terms: null })).status).toBe(200);

    const seen = async (tag: string) => [await countOf(tag), await found(tag)];
    expect(await seen(tags.trashed)).toEqual([0, 0]);
    expect(await seen(tags.removed)).toEqual([0, 0]);
    expect(await seen(tags.rolledBack)).toEqual([1, 1]);
    expect(await seen(tags.replaced)).toEqual([0, 0]);
  });
});
