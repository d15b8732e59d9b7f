import { ROWS_PER_DELETION } from '../../src/database/statements/deletion.js';
import { Dialect } from '../../src/database/dialect/dialect.js';
import { Reads } from '../../src/database/statements/reads.js';
import { RecordJobs } from '../../src/records/record-jobs.js';
import { writesDuring, type RowWrite } from '../support/row-writes.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const RECORDS = 7;
const ITEMS = 1_000;

describe('Records that have very many rows', () => {
  let service: TestApp;
  let writes: RowWrite[];

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    writes = writesDuring(service);
  });
  afterAll(() => service.close());

  const list = (name: string, indexed = true) => ({ name, type: 'list', of: 'string', indexed });
  const declare = (name: string, fields: readonly object[]) =>
    service.http().post('/api/admin/types').send({ name, fields }).expect(201);
  const create = async (type: string, body: object): Promise<number> =>
    (await service.http().post(`/api/cms/${type}`).send(body).expect(201)).body.data.id;

  /** Items of a list that no other record has. */
  const items = (of: string) => Array.from({ length: ITEMS }, (_, n) => `${of} ${n}`);

  /** A type with some records, each of which has a row for each of a thousand items. */
  async function typeWithRows(name: string): Promise<{ id: number; ids: readonly number[] }> {
    const { body } = await declare(name, [list('parts')]);
    const ids: number[] = [];
    for (let n = 0; n < RECORDS; n += 1) {
      ids.push(await create(name, { title: `Record ${n}`, parts: items(`${n}`) }));
    }
    writes.length = 0;
    return { id: body.data.id, ids };
  }

  const count = async (table: string, ids: readonly number[]): Promise<number> => {
    const sql = `SELECT COUNT(*) AS n FROM ${table} WHERE record_id IN (${ids.join(', ')})`;
    return Number((await service.app.get(Reads, { strict: false }).select<{ n: number | string }>(sql))[0]?.n);
  };

  /** The largest number of rows that one statement wrote or deleted. */
  const mostAtOnce = (): number => Math.max(0, ...writes.flatMap(({ rows }) => rows));
  /** On a server, with what other statements of the same packet did. */
  const deletedFrom = (table: string): number =>
    writes
      .filter(({ sql }) => sql.includes(`DELETE FROM ${table} `))
      .flatMap(({ rows }) => rows)
      .reduce((sum, rows) => sum + rows, 0);

  it('lose an index some rows at a time', async () => {
    const { ids } = await typeWithRows('unindexed');

    await service
      .http()
      .put('/api/admin/types/unindexed?confirm=unindexed')
      .send({ fields: [list('parts', false)] })
      .expect(200);

    expect(await count('record_fields', ids)).toBe(0);
    expect(deletedFrom('record_fields')).toBeGreaterThanOrEqual(RECORDS * ITEMS);
    expect(mostAtOnce()).toBeLessThanOrEqual(ROWS_PER_DELETION);
  });

  it('lose a field some rows at a time', async () => {
    const { ids } = await typeWithRows('shortened');

    await service.http().put('/api/admin/types/shortened?confirm=shortened').send({ fields: [] }).expect(200);

    expect(await count('record_fields', ids)).toBe(0);
    expect(deletedFrom('record_fields')).toBeGreaterThanOrEqual(RECORDS * ITEMS);
    expect(mostAtOnce()).toBeLessThanOrEqual(ROWS_PER_DELETION);
  });

  it('are removed with their type some rows at a time', async () => {
    const { ids } = await typeWithRows('removed');

    await service.http().delete('/api/admin/types/removed?confirm=removed').expect(204);

    expect([await count('record_fields', ids), await count('record_contents', ids)]).toEqual([0, 0]);
    expect(deletedFrom('record_fields')).toBeGreaterThanOrEqual(RECORDS * ITEMS);
    expect(mostAtOnce()).toBeLessThanOrEqual(ROWS_PER_DELETION);
  });

  it('leave the trash as many at a time as their length allows', async () => {
    await declare('kept', [{ name: 'notes', type: 'json' }]);
    const [ids, long] = [[] as number[], 'long '.repeat(180_000)];
    for (let n = 0; n < RECORDS; n += 1) ids.push(await create('kept', { title: `Record ${n}`, notes: [n, long] }));
    for (const id of ids) await service.http().delete(`/api/cms/kept/${id}`).expect(204);
    writes.length = 0;

    const removed = await service.app.get(RecordJobs, { strict: false }).purge(Number.MAX_SAFE_INTEGER);

    const units = writes.filter(({ sql }) => sql.includes('DELETE FROM records ')).map(({ rows }) => rows);
    expect([removed, await count('revisions', ids)]).toEqual([RECORDS, 0]);
    expect(units.length).toBeGreaterThan(1);
  });

  it('are found by what a change makes of them, and keep the rest where a statement holds up the process', async () => {
    const fields = [list('one'), list('two'), { name: 'code', type: 'string', unique: true }];
    await declare('changed', fields);
    const body = { title: 'Changed', one: items('one'), two: items('two'), code: 'a' };
    const id = await create('changed', body);
    const found = async (query: string): Promise<number> =>
      (await service.http().get(`/api/cms/changed?${query}`).expect(200)).body.meta.total;
    writes.length = 0;

    await service
      .http()
      .put(`/api/cms/changed/${id}`)
      .send({ ...body, title: 'Same', two: [...body.two] })
      .expect(200);
    await service
      .http()
      .put(`/api/cms/changed/${id}`)
      .send({ ...body, one: [...body.one.slice(1), 'new'] })
      .expect(200);

    if (service.app.get(Dialect).hasOneWriter) expect(deletedFrom('record_fields')).toBe(ITEMS);
    expect(await count('record_fields', [id])).toBe(2 * ITEMS + 1);
    expect([
      await found('filter[one]=new'),
      await found('filter[one]=one 0'),
      await found('filter[two]=two 0'),
    ]).toEqual([1, 0, 1]);
    await service.http().post('/api/cms/changed').send({ title: 'Other', code: 'a' }).expect(422);
    await service.http().put(`/api/cms/changed/${id}`).send({ code: 'b' }).expect(200);
    await service.http().post('/api/cms/changed').send({ title: 'Other', code: 'a' }).expect(201);
  });

  it('go one by one within the same bounds, where a statement holds up the process', async () => {
    const names = ['one', 'two', 'three'];
    await declare(
      'single',
      names.map((name) => list(name)),
    );
    const body = Object.fromEntries(names.map((name) => [name, items(name)]));
    const ids = [
      await create('single', { title: 'Changed', ...body }),
      await create('single', { title: 'Last', ...body }),
    ];
    writes.length = 0;

    await service
      .http()
      .put(`/api/cms/single/${ids[0]}`)
      .send({ one: items('other') })
      .expect(200);
    await service.http().delete(`/api/cms/single/${ids[0]}`).expect(204);
    await service.http().delete(`/api/cms/single/${ids[1]}?permanent=true`).expect(204);

    expect(await count('record_fields', ids)).toBe(0);
    expect(deletedFrom('record_fields')).toBeGreaterThanOrEqual((1 + 2 * names.length) * ITEMS);
    if (service.app.get(Dialect).hasOneWriter) expect(mostAtOnce()).toBeLessThanOrEqual(ROWS_PER_DELETION);
  });
});
