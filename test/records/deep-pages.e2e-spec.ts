import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { execute } from '../../src/database/statements/statement.js';
import { RecordCounts } from '../../src/records/counting/record-counts.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

const RECORDS = 6_000;
/** Half of them within seconds, as an import makes them; the others hours apart, several at one moment, some before 1970. */
const createdAt = (n: number) =>
  n % 2 === 0 ? 400_000_000 + n * 3 : -50_000_000 + Math.floor(n / 6) * 1_400_001 + (n % 7 === 0 ? 86_400_000 : 0);
const statusOf = (n: number) => (n % 5 === 0 ? 'draft' : 'published');

describe('Pages deep in a list', () => {
  let test: TestApp;
  let all: { id: number; at: number; status: string }[] = [];

  beforeAll(async () => {
    test = await startTestApp();
    const first = await test.http().post('/api/cms/page').send({ title: 'First' }).expect(201);
    const { id } = (first.body as { data: { id: number } }).data;
    await test.http().delete(`/api/cms/page/${id}?permanent=true`).expect(204);
    await insertRecords(test, id + 1);
    all = Array.from({ length: RECORDS }, (_, n) => ({ id: id + 1 + n, at: createdAt(n), status: statusOf(n) }));
  });
  afterAll(() => test.close());

  const page = async (
    query: string,
    token?: string,
  ): Promise<{ ids: number[]; total: number; next: string | null }> => {
    const answer = await test.http(token).get(`/api/cms/page?fields=id&${query}`).expect(200);
    const { data, meta } = answer.body as {
      data: { id: number }[];
      meta: { total: number; next_cursor: string | null };
    };
    return { ids: data.map(({ id }) => id), total: meta.total, next: meta.next_cursor };
  };
  const expected = (isNewestFirst: boolean, statuses: readonly string[]): number[] => {
    const sign = isNewestFirst ? -1 : 1;
    return all
      .filter(({ status }) => statuses.includes(status))
      .sort((a, b) => sign * (a.at - b.at || a.id - b.id))
      .map(({ id }) => id);
  };
  const BOTH = ['draft', 'published'];

  it.each([
    ['', true, BOTH],
    ['&sort=created_at', false, BOTH],
    ['&status=published', true, ['published']],
    ['&status=draft,published&sort=created_at,id', false, BOTH],
  ])('hold the same records as one long list: %s', async (query, isNewestFirst, statuses) => {
    const ids = expected(isNewestFirst, statuses);
    const last = Math.ceil(ids.length / 7);
    for (const n of [1, 100, 144, 200, Math.floor(last / 2), last - 200, last - 145, last - 1, last]) {
      const { ids: found, total } = await page(`per_page=7&page=${n}${query}`);
      expect([n, found]).toEqual([n, ids.slice((n - 1) * 7, n * 7)]);
      expect(total).toBe(ids.length);
    }
  });

  it('show readers what is published only', async () => {
    const ids = expected(true, ['published']);
    expect((await page('per_page=10&page=240', TOKENS.reader)).ids).toEqual(ids.slice(2_390, 2_400));
  });

  it('go on by cursor from there', async () => {
    const ids = expected(true, BOTH);
    const { next } = await page('per_page=10&page=300');
    expect((await page(`per_page=10&cursor=${next}`)).ids).toEqual(ids.slice(3_000, 3_010));
  });

  it('follow what is written, deleted and published', async () => {
    const gone = all[2_500];
    const turned = all[3_001];
    await test.http().delete(`/api/cms/page/${gone?.id}`).expect(204);
    await test.http().put(`/api/cms/page/${turned?.id}`).send({ status: 'archived' }).expect(200);
    all = all.filter(({ id }) => id !== gone?.id).map((one) => (one === turned ? { ...one, status: 'archived' } : one));

    expect((await page('per_page=10&page=300')).ids).toEqual(expected(true, [...BOTH, 'archived']).slice(2_990, 3_000));
    expect((await page('per_page=10&page=200&status=published')).ids).toEqual(
      expected(true, ['published']).slice(1_990, 2_000),
    );
    await test.app.get(RecordCounts, { strict: false }).fold();
    expect((await page('per_page=10&page=200&status=published')).ids).toEqual(
      expected(true, ['published']).slice(1_990, 2_000),
    );
  });

  it('follow a change that waits where one waited that was folded in', async () => {
    const deep = () => page('per_page=10&page=210&status=published');
    for (const n of [1_801, 1_901, 2_001]) {
      const gone = all[n];
      await test.http().delete(`/api/cms/page/${gone?.id}`).expect(204);
      all = all.filter(({ id }) => id !== gone?.id);

      expect((await deep()).ids).toEqual(expected(true, ['published']).slice(2_090, 2_100));
      await test.app.get(RecordCounts, { strict: false }).fold();
    }
  });
});

/** Rows as the service would write them, counted as it counts them. */
async function insertRecords({ app }: TestApp, firstId: number): Promise<void> {
  await app.get(UnitOfWork, { strict: false }).run(async (manager) => {
    const [type] = await manager.query<{ id: number }[]>("SELECT id FROM content_types WHERE name = 'page'");
    const typeId = Number(type?.id);
    for (let start = 0; start < RECORDS; start += 500) {
      const some = Array.from({ length: 500 }, (_, n) => start + n);
      const rows = some.map(
        (n) =>
          `(${firstId + n}, ${typeId}, 'en', 's${n}', 't', 't', '${statusOf(n)}', 1, 1, 1, ${createdAt(n)}, 1, NULL, 0)`,
      );
      await execute(
        manager,
        `INSERT INTO records (id, type_id, locale, slug, title, title_key, status, version, created_by, updated_by, created_at, updated_at, published_at, trashed_at) VALUES ${rows.join(', ')}`,
      );
      const contents = some.map((n) => `(${firstId + n}, NULL, '{}')`).join(', ');
      await execute(manager, `INSERT INTO record_contents (record_id, body, data) VALUES ${contents}`);
      await app.get(RecordCounts, { strict: false }).add(
        manager,
        some.map((n) => ({ typeId, status: statusOf(n), terms: [], d: 1 })),
      );
    }
  });
}
