import type { Response } from 'supertest';
import { ContentTypesService } from '../../src/content-types/store/content-types.service.js';
import { TypeUsageHost } from '../../src/content-types/store/type-usage.port.js';
import { TypeWatches } from '../../src/content-types/changes/type-watches.js';
import { Reads } from '../../src/database/statements/reads.js';
import { execute } from '../../src/database/statements/statement.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { copyRequests } from '../support/copy-requests.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { typeRequests } from '../support/type-requests.js';

describe('A change of a type whose records another process writes', () => {
  let one: TestApp;
  let other: TestApp;
  const { aTypeWith, aRecord } = typeRequests(() => one);

  beforeAll(async () => {
    one = await startTestApp();
    other = await startTestApp({ DATABASE_URL: one.database.url });
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    await other.close();
    await one.close();
  });

  const change = (type: string, body: object): Promise<Response> =>
    one.http().put(`/api/admin/types/${type}`).send(body);

  /** Has something done once all records were looked at, before the type is locked. */
  function afterTheLook(work: () => Promise<unknown>): void {
    const usage = one.app.get(TypeUsageHost).get();
    const batch = usage.batch.bind(usage);
    let isDone = false;
    jest.spyOn(usage, 'batch').mockImplementation(async (typeId, after) => {
      const found = await batch(typeId, after);
      if (found.last === null && !isDone) {
        isDone = true;
        await work();
      }
      return found;
    });
  }

  it('lets one of two types have an address, however close they come', async () => {
    for (let round = 0; round < 10; round += 1) {
      const types = ['one', 'two', 'three', 'four'].map((name) => ({
        name: `site_${name}_${round}`,
        url_path: `/site-${round}/{slug}`,
      }));

      const answers = await Promise.all(
        types.map((type, at) => (at % 2 ? one : other).http().post('/api/admin/types').send(type)),
      );

      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    }
  });

  const left = (table: string) => one.app.get(Reads).select(`SELECT id FROM ${table}`);

  it.each<[string, object, (id: number, type: string) => Promise<Response>, object[], string]>([
    [
      'a new record does not fit',
      { name: 'a', type: 'integer' },
      (_, type) => other.http().post(`/api/cms/${type}`).send({ title: 'New', a: 9 }),
      [{ name: 'a', type: 'integer', max: 5 }],
      'type_in_use',
    ],
    [
      'a changed record does not fit',
      { name: 'a', type: 'integer' },
      (id, type) => other.http().put(`/api/cms/${type}/${id}`).send({ a: 9 }),
      [{ name: 'a', type: 'integer', max: 5 }],
      'type_in_use',
    ],
    [
      'a value was taken away that is to be required',
      { name: 'a', type: 'integer' },
      (id, type) => other.http().put(`/api/cms/${type}/${id}`).send({ a: null }),
      [{ name: 'a', type: 'integer', required: true }],
      'type_in_use',
    ],
    [
      'a record has got another value that repeats',
      { name: 'a', type: 'integer' },
      (_, type) => other.http().post(`/api/cms/${type}`).send({ title: 'New', a: 1 }),
      [{ name: 'a', type: 'integer', unique: true }],
      'type_in_use',
    ],
  ])('is refused when %s by then', async (_, field, write, fields, error) => {
    const type = await aTypeWith([field]);
    const id = await aRecord(type, { a: 1 });
    afterTheLook(async () => {
      expect((await write(id, type)).status).toBeLessThan(300);
    });

    const { status, body } = await change(type, { fields });

    expect([status, body.error]).toEqual([409, error]);
    const [kept] = (await one.app.get(ContentTypesService).require(type)).fields;
    expect(kept).toMatchObject({ required: false, unique: false });
    expect(kept?.max).toBeUndefined();
    expect([await left('type_watches'), await left('type_watch_records')]).toEqual([[], []]);
  });

  it('is refused when a working copy that was saved by then does not fit', async () => {
    const type = await aTypeWith([{ name: 'a', type: 'integer' }]);
    const id = await aRecord(type);
    const copies = one.app.get(TypeUsageHost).copies();
    const next = copies.next.bind(copies);
    jest.spyOn(copies, 'next').mockImplementationOnce(async (...asked) => {
      const ids = await next(...asked);
      await copyRequests(() => other).save(`${type}/${id}`, { a: 9 });
      return ids;
    });

    const { status, body } = await change(type, { fields: [] });

    expect([status, body.details]).toEqual([409, [{ field: 'a', change: 'removed', records: 1, ids: [id] }]]);
  });

  it('does not change the kind of a field that got a value meanwhile', async () => {
    const type = await aTypeWith([{ name: 'a', type: 'string' }]);
    const id = await aRecord(type);
    afterTheLook(() => other.http().put(`/api/cms/${type}/${id}`).send({ a: 'text' }).expect(200));

    const { status } = await change(type, { fields: [{ name: 'a', type: 'integer' }] });

    expect(status).toBe(422);
    expect((await one.http().get(`/api/cms/${type}/${id}`)).body.data.a).toBe('text');
  });

  it('is made when what was written fits', async () => {
    const type = await aTypeWith([{ name: 'a', type: 'integer' }]);
    const id = await aRecord(type, { a: 1 });
    afterTheLook(() => other.http().put(`/api/cms/${type}/${id}`).send({ a: 4 }).expect(200));

    const { status, body } = await change(type, { fields: [{ name: 'a', type: 'integer', max: 5 }] });

    expect([status, body.data.version]).toEqual([200, 2]);
  });

  it('looks again when the type was changed meanwhile', async () => {
    const type = await aTypeWith([{ name: 'a', type: 'integer' }]);
    await aRecord(type, { a: 1 });
    afterTheLook(() => other.http().put(`/api/admin/types/${type}`).send({ label: 'Else' }).expect(200));

    const { status, body } = await change(type, { fields: [{ name: 'a', type: 'integer', max: 5 }] });

    expect([status, body.data.version, body.data.label]).toEqual([200, 3, 'Else']);
  });

  it('keeps the version of the type when it is refused, so that it can be confirmed with the same If-Match', async () => {
    const type = await aTypeWith([{ name: 'a', type: 'integer' }]);
    await aRecord(type, { a: 1 });

    expect((await change(type, { fields: [] })).status).toBe(409);

    const confirmed = await one
      .http()
      .put(`/api/admin/types/${type}?confirm=${type}`)
      .set('If-Match', '"1"')
      .send({ fields: [] });
    expect([confirmed.status, confirmed.body.data.version]).toEqual([200, 2]);
  });

  it('lets nothing in that does not fit, however many write', async () => {
    const type = await aTypeWith([{ name: 'a', type: 'integer' }]);
    const ids = await Promise.all(Array.from({ length: 20 }, () => aRecord(type, { a: 1 })));

    const [changed, ...written] = await Promise.all([
      change(type, { fields: [{ name: 'a', type: 'integer', max: 5, required: true }] }),
      ...ids.map((id, at) =>
        other
          .http()
          .put(`/api/cms/${type}/${id}`)
          .send({ a: at % 2 === 0 ? 9 : 2 }),
      ),
    ]);

    expect(written.filter(({ status }) => status !== 200 && status !== 422)).toEqual([]);
    const { body } = await one.http().get(`/api/cms/${type}?per_page=100`);
    const unfit = body.data.filter(({ a }: { a: number }) => a > 5);
    expect([200, 409]).toContain(changed.status);
    if (changed.status === 200) expect(unfit).toEqual([]);
    expect([await left('type_watches'), await left('type_watch_records')]).toEqual([[], []]);
  });

  it('leaves nothing behind when its process dies', async () => {
    const type = await aTypeWith([{ name: 'a', type: 'integer' }]);
    const id = await aRecord(type, { a: 1 });
    const watches = one.app.get(TypeWatches);
    await watches.begin((await one.app.get(ContentTypesService).require(type)).id);
    await other.http().put(`/api/cms/${type}/${id}`).send({ a: 2 }).expect(200);
    expect(await left('type_watch_records')).toHaveLength(1);
    await watches.sweep();
    expect(await left('type_watches')).toHaveLength(1);
    await one.app.get(UnitOfWork).run((manager) => execute(manager, 'UPDATE type_watches SET until_at = 0'));

    await watches.sweep();

    expect([await left('type_watches'), await left('type_watch_records')]).toEqual([[], []]);
    await other.http().put(`/api/cms/${type}/${id}`).send({ a: 3 }).expect(200);
    expect(await left('type_watch_records')).toEqual([]);
  });

  it('looks at every record once, however many are of one moment or were thrown away', async () => {
    const type = await aTypeWith([{ name: 'a', type: 'integer' }]);
    const { id: typeId, fields } = await one.app.get(ContentTypesService).require(type);
    await one.app.get(UnitOfWork).run(async (manager) => {
      for (let at = 0; at < 1_500; at += 1) {
        const { insertId } = await execute(
          manager,
          `INSERT INTO records (type_id, locale, slug, title, title_key, status, version, created_by, updated_by, created_at, updated_at, trashed_at)
           VALUES (?, 'en', ?, 'x', 'x', 'draft', 1, 1, 1, ?, 1, ?)`,
          [typeId, at % 4 === 0 ? null : `x-${at}`, at < 1_200 ? 1 : at, at % 4 === 0 ? 5 + (at % 8) : 0],
        );
        const data = JSON.stringify({ [fields[0]?.id ?? '']: at });
        await execute(manager, 'INSERT INTO record_contents (record_id, data) VALUES (?, ?)', [insertId, data]);
      }
    });

    const { body } = await change(type, { fields: [{ name: 'a', type: 'integer', max: 99 }] });

    expect(body.details).toMatchObject([{ field: 'a', change: 'narrowed', records: 1_400, ids: { length: 10 } }]);
  });
});
