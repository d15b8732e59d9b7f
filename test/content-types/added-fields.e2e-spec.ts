import type { Response } from 'supertest';
import { ContentTypesService } from '../../src/content-types/store/content-types.service.js';
import { Reads } from '../../src/database/statements/reads.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { typeRequests } from '../support/type-requests.js';

/** Fields of every kind that the side index holds, and a value of each. */
const KINDS: readonly (readonly [field: Record<string, unknown>, value: unknown])[] = [
  [{ name: 'a-string', type: 'string', indexed: true }, 'one'],
  [{ name: 'a-unique', type: 'string', indexed: true, unique: true }, 'sole'],
  [{ name: 'an-integer', type: 'integer', indexed: true }, 1],
  [{ name: 'a-number', type: 'number', indexed: true, default: 0.5 }, 1.5],
  [{ name: 'a-boolean', type: 'boolean', indexed: true }, true],
  [{ name: 'a-date', type: 'date', indexed: true }, '2020-01-02'],
  [{ name: 'a-time', type: 'datetime', indexed: true }, '2020-01-02T03:04:05Z'],
  [{ name: 'an-email', type: 'email', indexed: true }, 'a@example.com'],
  [{ name: 'a-url', type: 'url', indexed: true }, 'https://example.com/'],
  [{ name: 'an-enum', type: 'enum', values: ['x', 'y'], indexed: true }, 'y'],
  [{ name: 'a-list', type: 'list', of: 'integer', indexed: true }, [3, 4]],
  [{ name: 'one-page', type: 'relation', to: ['page'] }, 'page'],
  [{ name: 'many-pages', type: 'relation', to: ['page'], many: true }, ['page']],
];
const UNSORTED = new Set(['a-list', 'many-pages']);

describe('Fields that are added to a type with records', () => {
  let service: TestApp;
  const { aTypeWith, aRecord } = typeRequests(() => service);

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(() => service.close());

  const change = (type: string, fields: readonly object[]): Promise<Response> =>
    service.http().put(`/api/admin/types/${type}`).send({ fields });

  async function ids(type: string, query: Record<string, unknown> = {}): Promise<number[]> {
    const { status, body } = await service
      .http()
      .get(`/api/cms/${type}`)
      .query({ per_page: 100, ...query });
    expect([status, query]).toEqual([200, query]);
    expect(body.meta.total).toBe(body.data.length);
    return body.data.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b);
  }

  /** Some records from before, and one of afterwards that has a value in every field. */
  async function aGrownType(): Promise<{ type: string; before: number[]; after: number }> {
    const page = await aRecord('page');
    const type = await aTypeWith([]);
    const before = [await aRecord(type), await aRecord(type), await aRecord(type)];
    expect(
      (
        await change(
          type,
          KINDS.map(([field]) => field),
        )
      ).status,
    ).toBe(200);
    const values = KINDS.map(([{ name }, value]) => [
      name,
      JSON.parse(JSON.stringify(value).replaceAll('"page"', `${page}`)),
    ]);
    return { type, before, after: await aRecord(type, Object.fromEntries(values)) };
  }

  it('hide no record from any list that is sorted or filtered by them', async () => {
    const { type, before, after } = await aGrownType();
    await service.http().put(`/api/cms/${type}/${before[0]}`).send({ title: 'Changed' }).expect(200);
    const everyone = await ids(type);
    expect(everyone).toEqual([...before, after]);

    for (const [{ name }] of KINDS) {
      expect([name, await ids(type, { [`filter[${String(name)}][exists]`]: false })]).toEqual([name, before]);
      expect([name, await ids(type, { [`filter[${String(name)}][exists]`]: true })]).toEqual([name, [after]]);
      if (UNSORTED.has(String(name))) continue;
      for (const sort of [name, `-${String(name)}`, `title,${String(name)}`, `-title,-${String(name)}`]) {
        expect([sort, await ids(type, { sort })]).toEqual([sort, everyone]);
      }
    }
  });

  it('leave the trash out, and take in what comes back from it', async () => {
    const type = await aTypeWith([]);
    const [first, second] = [await aRecord(type), await aRecord(type)];
    await service.http().delete(`/api/cms/${type}/${second}`).expect(204);

    await change(type, [{ name: 'rank', type: 'integer', indexed: true }]);

    expect(await ids(type, { sort: 'rank' })).toEqual([first]);
    await service.http().post(`/api/cms/${type}/${second}/restore`).expect(200);
    expect(await ids(type, { sort: '-rank' })).toEqual([first, second]);
  });

  it('hide none of the records that are written while they are added', async () => {
    const type = await aTypeWith([]);
    const before = await Promise.all(Array.from({ length: 30 }, () => aRecord(type)));

    const [changed, ...written] = await Promise.all([
      change(type, [{ name: 'rank', type: 'integer', indexed: true }]),
      ...before.map((id, at) =>
        at % 5 === 0
          ? service.http().delete(`/api/cms/${type}/${id}`)
          : service
              .http()
              .put(`/api/cms/${type}/${id}`)
              .send({ title: `Changed ${at}` }),
      ),
      ...before.map(() => service.http().post(`/api/cms/${type}`).send({ title: 'New' })),
    ]);

    expect([changed.status, written.filter(({ status }) => status >= 300)]).toEqual([200, []]);
    const everyone = await ids(type);
    expect(everyone).toHaveLength(54);
    expect(await ids(type, { sort: 'rank' })).toEqual(everyone);
    expect(await ids(type, { 'filter[rank][exists]': false })).toEqual(everyone);
    const { id, fields } = await service.app.get(ContentTypesService).require(type);
    const leftOver = await service.app
      .get(Reads)
      .select(
        'SELECT f.record_id FROM record_fields f JOIN records r ON r.id = f.record_id WHERE f.field_id = ? AND r.type_id = ? AND r.trashed_at > 0',
        [fields[0]?.key ?? 0, id],
      );
    expect(leftOver).toEqual([]);
  });
});
