import { Clock } from '../../src/common/clock.js';
import { ContentTypesService } from '../../src/content-types/store/content-types.service.js';
import { IndexWork } from '../../src/content-types/changes/index-work.js';
import { TypeJobs } from '../../src/content-types/changes/type-jobs.js';
import { KnownTaxonomiesHost } from '../../src/content-types/store/known-taxonomies.port.js';
import { BUILDER_LEASE_MS } from '../../src/content-types/store/field-store.js';
import { TypeUsageHost } from '../../src/content-types/store/type-usage.port.js';
import { TypeWatches } from '../../src/content-types/changes/type-watches.js';
import type { Logger } from 'pino';
import { LOG } from '../../src/common/logging/logging.module.js';
import { Reads } from '../../src/database/statements/reads.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const outage = (): Error => new Error('The database has gone away.');

describe('What a committed change of a content type leaves to do with the side index', () => {
  let service: TestApp;
  let lastType = 0;

  beforeAll(async () => {
    service = await startTestApp();
    // The tests say when what has failed is tried again.
    service.app.get(TypeJobs).resumeBuilds = () => Promise.resolve();
  });

  afterEach(() => {
    jest.restoreAllMocks();
    tries = 0;
  });
  afterAll(() => service.close());

  const http = () => service.http();
  const usage = () => service.app.get(TypeUsageHost).get();
  const after = (ms: number) => {
    const now = Date.now();
    jest.spyOn(service.app.get(Clock), 'now').mockImplementation(() => now + ms);
  };
  let tries = 0;
  /** What jobs do once the lease of the process that failed has ended. */
  const retry = async () => {
    after((tries += 1) * (BUILDER_LEASE_MS + 1));
    await service.app.get(IndexWork).resumeExpired();
    await service.app.get(IndexWork).dropUnused();
  };

  /** A type with plain fields `a` and `b`, and three records with the values 0, 1 and 2 in them. */
  async function aType(...others: object[]): Promise<string> {
    const name = `kind-${++lastType}`;
    const fields = [indexed('a', {}), indexed('b', {}), ...others];
    await http()
      .post('/api/admin/types')
      .send({ name, taxonomies: ['category', 'tag'], fields })
      .expect(201);
    for (const n of [0, 1, 2]) {
      await http()
        .post(`/api/cms/${name}`)
        .send({ title: 'x', a: n, b: n, terms: { tag: ['some'] } })
        .expect(201);
    }
    return name;
  }

  const change = (type: string, body: object) => http().put(`/api/admin/types/${type}?confirm=${type}`).send(body);

  async function fieldsOf(name: string) {
    service.app.get(ContentTypesService).refresh();
    return (await service.app.get(ContentTypesService).require(name)).fields;
  }

  async function keyOf(name: string, field: string): Promise<number> {
    return (await fieldsOf(name)).find((one) => one.name === field)?.key ?? 0;
  }

  const isBuilding = async (name: string): Promise<boolean> =>
    (await fieldsOf(name)).some(({ building }) => building === true);

  /** Has the index of fields of a type not written, so many times. Work on other types goes on in the background. */
  async function outageIn(type: string, times = 1) {
    const keys = new Set((await fieldsOf(type)).map(({ key }) => key));
    const replaceIndex = usage().replaceIndex.bind(usage());
    let left = times;
    return jest.spyOn(usage(), 'replaceIndex').mockImplementation((manager, fieldKey, records) => {
      if (left === 0 || !keys.has(fieldKey)) return replaceIndex(manager, fieldKey, records);
      left -= 1;
      return Promise.reject(outage());
    });
  }

  async function rows(fieldKey: number): Promise<number> {
    const sql = 'SELECT record_id FROM record_fields WHERE field_id = ?';
    return (await service.app.get(Reads).select(sql, [fieldKey])).length;
  }

  const indexed = (name: string, rules: object = { indexed: true }) => ({ name, type: 'integer', ...rules });

  it('is done by the next try, also what a failure before it has kept from its beginning', async () => {
    const type = await aType(indexed('c'));
    const dropped = await keyOf(type, 'c');
    await outageIn(type);
    await change(type, { fields: [indexed('a'), indexed('b')] }).expect(503);
    expect(await rows(dropped)).toBe(3);

    await retry();

    expect(await isBuilding(type)).toBe(false);
    expect([await rows(await keyOf(type, 'a')), await rows(await keyOf(type, 'b'))]).toEqual([3, 3]);
    expect(await rows(dropped)).toBe(0);
  });

  it('is done at the next start where the process has ended before: no rows of removed fields stay', async () => {
    const type = await aType(indexed('c'), indexed('d'));
    const keys = [await keyOf(type, 'c'), await keyOf(type, 'd')];
    const other = await keyOf(await aType(indexed('c')), 'c');
    jest.spyOn(service.app.get(IndexWork), 'carryOut').mockResolvedValueOnce(); // as if the process had ended
    await change(type, { fields: [indexed('a', {}), indexed('b', {}), indexed('d', {})] }).expect(200);
    expect(await Promise.all(keys.map(rows))).toEqual([3, 3]);

    await service.app.get(TypeJobs).dropUnused();

    expect(await Promise.all(keys.map(rows))).toEqual([0, 0]);
    expect(await rows(other)).toBe(3);
  });

  it('is tried again until it is done, each field whatever becomes of the others', async () => {
    const type = await aType();
    await outageIn(type, 2);
    await change(type, { fields: [indexed('a'), indexed('b')] }).expect(503);

    await expect(retry()).rejects.toThrow('gone away');
    await retry();

    expect(await isBuilding(type)).toBe(false);
  });

  it('is done by the next try when the terms of a removed taxonomy could not be taken away', async () => {
    const type = await aType();
    const taxonomies = service.app.get(KnownTaxonomiesHost).get();
    jest.spyOn(taxonomies, 'withdraw').mockRejectedValueOnce(outage());
    await change(type, { taxonomies: ['category'], fields: [indexed('a'), indexed('b', {})] }).expect(503);

    await retry();

    expect(await isBuilding(type)).toBe(false);
    expect(await rows(await keyOf(type, 'a'))).toBe(3);
  });

  it('is done by the next try when the watch over the records could not be ended', async () => {
    const type = await aType();
    jest.spyOn(service.app.get(TypeWatches), 'end').mockRejectedValueOnce(outage());
    await change(type, { fields: [indexed('a', { unique: true }), indexed('b', {})] }).expect(503);

    await retry();

    expect(await isBuilding(type)).toBe(false);
    expect(await rows(await keyOf(type, 'a'))).toBe(3);
  });

  it('is no failure when the try finds that values repeat', async () => {
    const type = await aType();
    const warn = jest.spyOn(service.app.get<Logger>(LOG), 'warn');
    const replaceIndex = usage().replaceIndex.bind(usage());
    const replaced = await outageIn(type);
    await change(type, { fields: [indexed('a', { unique: true }), indexed('b', {})] }).expect(503);
    replaced.mockImplementationOnce((manager, fieldKey, records) => {
      const repeated = records.map((record) => ({
        ...record,
        rows: record.rows.map((row) => ({ ...row, uniqueKey: records[0]?.rows[0]?.uniqueKey ?? null })),
      }));
      return replaceIndex(manager, fieldKey, repeated);
    });

    await expect(retry()).resolves.toBeUndefined();

    expect((await fieldsOf(type))[0]).toMatchObject({ unique: false });
    expect(await isBuilding(type)).toBe(false);
    expect(warn).toHaveBeenCalledWith(expect.objectContaining({ error: 'type_in_use' }), expect.any(String));
  });

  describe('of a process that was killed', () => {
    it('is taken over once its lease has ended', async () => {
      const type = await aType();
      await outageIn(type);
      await change(type, { fields: [indexed('a'), indexed('b', {})] }).expect(503);

      await service.app.get(IndexWork).resumeExpired();
      expect(await isBuilding(type)).toBe(true);
      after(BUILDER_LEASE_MS + 1);
      await service.app.get(IndexWork).resumeExpired();

      expect(await isBuilding(type)).toBe(false);
      expect(await rows(await keyOf(type, 'a'))).toBe(3);
    });

    it('is left to a process that renews its lease', async () => {
      const type = await aType();
      const dropped = jest.spyOn(usage(), 'dropIndex').mockImplementationOnce(() => {
        after(BUILDER_LEASE_MS / 2);
        return Promise.resolve(1);
      });
      const looks: Promise<void>[] = [];
      dropped.mockImplementationOnce(() => {
        after(BUILDER_LEASE_MS + 1);
        looks.push(service.app.get(IndexWork).resumeExpired());
        return Promise.resolve(0);
      });

      await change(type, { fields: [indexed('a'), indexed('b', {})] }).expect(200);
      await Promise.all(looks);

      expect(looks).toHaveLength(1);
      expect(dropped).toHaveBeenCalledTimes(2);
    });
  });
});
