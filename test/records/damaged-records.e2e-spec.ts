import type { SqlValue } from '../../src/database/statements/statement.js';
import { Writer } from '../../src/database/statements/writer.js';
import { runner } from '../support/cli-runner.js';
import { expectError } from '../support/errors.js';
import { Historian } from '../support/historian.js';
import { folderOf } from '../support/import-files.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const isServer = process.env.TEST_DATABASE_URL !== undefined;
/** Milliseconds behind the last ones that there is a date for. */
const NO_TIME = 9_000_000_000_000_000;

type Cell = readonly [table: 'records' | 'record_contents', column: string, value: SqlValue, shown: string];

const VALUES: Cell = ['record_contents', 'data', '{"f_1":7,', 'data is no JSON object'];
const TERMS: Cell = ['record_contents', 'terms', '{"tag":[1', 'terms is no JSON object'];

const CELLS: readonly Cell[] = [
  VALUES,
  TERMS,
  ['record_contents', 'data', '[1]', 'data is no JSON object'],
  ['record_contents', 'terms', '{"tag":["red"]}', 'terms is no JSON object'],
  ['records', 'created_at', NO_TIME, 'created_at is no time'],
  ['records', 'updated_at', NO_TIME, 'updated_at is no time'],
  ['records', 'published_at', NO_TIME, 'published_at is no time'],
];

/** Only SQLite keeps bytes in a column of text. */
const BYTES: readonly Cell[] = isServer
  ? []
  : [
      ['records', 'title', Buffer.from('One'), 'title is no text'],
      ['record_contents', 'body', Buffer.from('Text'), 'body is no text'],
    ];

describe('A record of which a stored value cannot be read', () => {
  let service: TestApp;
  let historian: Historian;
  let last = 0;
  const damagedIds: number[] = [];

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    historian = new Historian(service);
    const fields = [{ name: 'price', type: 'integer', indexed: true }];
    await service.http().put('/api/admin/types/post').send({ fields }).expect(200);
  });
  afterEach(async () => {
    for (const id of damagedIds.splice(0)) await http().delete(`/api/cms/post/${id}?permanent=true`);
  });
  afterAll(() => service.close());

  const http = () => service.http();
  const query = <Rows>(sql: string, values: readonly SqlValue[]): Promise<Rows> =>
    service.app.get(Writer, { strict: false }).source.query<Rows>(sql, [...values]);
  async function damage(id: number, [table, column, value]: Cell): Promise<void> {
    damagedIds.push(id);
    await query(`UPDATE ${table} SET ${column} = ? WHERE ${table === 'records' ? 'id' : 'record_id'} = ?`, [value, id]);
  }
  const cellOf = async (id: number, [table, column]: Cell): Promise<unknown> => {
    const sql = `SELECT ${column} AS cell FROM ${table} WHERE ${table === 'records' ? 'id' : 'record_id'} = ?`;
    return (await query<{ cell: unknown }[]>(sql, [id]))[0]?.cell;
  };
  const aRecord = (more: object = {}) =>
    historian.create({ title: 'One', body: 'Text', price: 7, status: 'published', terms: { tag: ['red'] }, ...more });
  const idsOf = async (path: string): Promise<number[]> =>
    ((await http().get(path).expect(200)).body.data as { id: number }[]).map(({ id }) => id);

  describe.each([...CELLS, ...BYTES])('%s.%s, which holds %s', (...cell) => {
    it('is refused to readers and writers, and stays as it is', async () => {
      const id = await aRecord();
      await damage(id, cell);
      const before = await cellOf(id, cell);

      const answer = await historian.get(id);
      expectError(answer, 'record_damaged');
      expect(answer.body.details).toEqual([{ column: cell[1] }]);
      expectError(await http().put(`/api/cms/post/${id}`).send({ title: 'Two' }), 'record_damaged');
      const [first = 0] = await historian.times(id);
      expectError(await historian.post(`${id}/rollback/${first}`), 'record_damaged');

      expect(await cellOf(id, cell)).toEqual(before);
      expect(await historian.times(id)).toEqual([first]);
    });

    it('is left out of lists, searches, references and exports, which show the others', async () => {
      const word = `vermilion${++last}`;
      const [id, other] = [await aRecord({ title: word }), await aRecord({ title: word })];
      await damage(id, cell);

      for (const parameters of ['', '&filter[price]=7', '&filter[tag]=red', '&fields=id,title,body,terms,price']) {
        for (let times = 0; times < 3; times += 1) {
          const ids = await idsOf(`/api/cms/post?per_page=100${parameters}`);
          expect(ids).toContain(other);
          expect(ids).not.toContain(id);
        }
      }
      expect(await idsOf(`/api/cms/search?q=${word}`)).toEqual([other]);
      expect(await idsOf(`/api/cms/search?q=${word}`)).toEqual([other]);
      const { text } = await http().get('/api/cms/post/-/export?format=ndjson').expect(200);
      expect(text.split('\n').filter((line) => line.includes(`"${word}"`))).toHaveLength(1);
    });
  });

  it('is named by doctor, and so is one that has no contents at all', async () => {
    const named = await Promise.all(
      [...CELLS, ...BYTES].map(async (cell) => {
        const id = await aRecord();
        await damage(id, cell);
        return `post/${id}: ${cell[3]}`;
      }),
    );
    const empty = await aRecord();
    await query('DELETE FROM record_contents WHERE record_id = ?', [empty]);

    const { code, out } = await runner({ DATABASE_URL: service.database.url })('doctor --deep');

    expect(code).toBe(1);
    for (const line of [...named, `post/${empty}: there are none`]) expect(out).toContain(line);
  });

  it('can be trashed and deleted for good, and its history be read until then', async () => {
    const id = await aRecord();
    await damage(id, TERMS);

    await http().delete(`/api/cms/post/${id}`).expect(204);
    expectError(await historian.post(`${id}/restore`), 'record_damaged');
    await http().delete(`/api/cms/post/${id}?permanent=true`).expect(204);

    expect((await historian.get(id)).status).toBe(404);
  });

  it('keeps its terms when one of them is merged or deleted, which reaches all others', async () => {
    const [id, other] = [await aRecord({ terms: { tag: ['green'] } }), await aRecord({ terms: { tag: ['green'] } })];
    await damage(id, TERMS);
    const before = await cellOf(id, TERMS);

    await http().delete('/api/cms/taxonomy/tag/slug:green?force=true').expect(204);

    expect((await historian.get(other)).body.data.terms.tag).toEqual([]);
    expect(await cellOf(id, TERMS)).toEqual(before);
  });

  it('holds up no change of its type', async () => {
    const made = { name: 'loser', taxonomies: ['tag'], fields: [{ name: 'price', type: 'integer' }] };
    await http().post('/api/admin/types').send(made).expect(201);
    const records = new Historian(service, 'loser');
    const [id, other] = [
      await records.create({ title: 'One', price: 7 }),
      await records.create({ title: 'Two', price: 8 }),
    ];
    await damage(id, VALUES);

    const fields = [{ name: 'price', type: 'integer', indexed: true }];
    await http().put('/api/admin/types/loser?confirm=loser').send({ fields, taxonomies: [] }).expect(200);

    expect(await idsOf('/api/cms/loser?filter[price]=8')).toEqual([other]);
    await http().delete('/api/admin/types/loser?confirm=loser').expect(204);
  });

  it('is refused by an import, and the other items are written', async () => {
    const cli = runner({ DATABASE_URL: service.database.url });
    const imported = async (text: string) => {
      const folder = folderOf({ 'items.csv': text });
      const { out } = await cli(['import', `${folder.path}/items.csv`, '--json']);
      folder.remove();
      return JSON.parse(out) as { counts: object; problems: object[] };
    };
    await imported('id,title,price\n1,First,1\n2,Second,2\n');
    const [row] = await query<{ id: number }[]>("SELECT id FROM records WHERE title = 'First'", []);
    await damage(row?.id ?? 0, VALUES);

    const { counts, problems } = await imported('id,title,price\n1,First,3\n2,Second,4\n');

    expect(counts).toEqual({ created: 0, updated: 1, unchanged: 0, refused: 1 });
    expect(problems).toEqual([{ file: 'items.csv', line: 2, message: expect.stringContaining('cannot be read') }]);
  });

  it('is none for an empty item of a list, which is listed, expanded, written and restored', async () => {
    const fields = [
      { name: 'links', type: 'relation', to: ['post'], many: true },
      { name: 'labels', type: 'list', of: 'string', indexed: true },
    ];
    const made = await http().post('/api/admin/types').send({ name: 'gap', fields }).expect(201);
    const [links = '', labels = ''] = (made.body.data.fields as { id: string }[]).map(({ id }) => id);
    const target = await aRecord();
    const gaps = new Historian(service, 'gap');
    const id = await gaps.create({ title: 'Gap', links: [target], labels: ['a'] });
    const value = JSON.stringify({ [links]: [{ id: target, type: 'post' }, null], [labels]: [null, 'a'] });
    await damage(id, ['record_contents', 'data', value, '']);

    const { body } = await http().get('/api/cms/gap?expand=links').expect(200);
    expect(body.data[0].links[0]).toMatchObject({ id: target, title: 'One' });
    await http().put(`/api/cms/gap/${id}`).send({ title: 'New' }).expect(200);
    await http().delete(`/api/cms/gap/${id}`).expect(204);
    await gaps.post(`${id}/restore`).expect(200);
    await http().delete('/api/admin/types/gap?confirm=gap').expect(204);
  });
});
