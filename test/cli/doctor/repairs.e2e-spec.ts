import type { SqlValue } from '../../../src/database/statements/statement.js';
import { Writer } from '../../../src/database/statements/writer.js';
import { RecordJobs } from '../../../src/records/record-jobs.js';
import { rowId } from '../../../src/search/fts5/row-ids.js';
import { runner, type Ran } from '../../support/cli-runner.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const isServer = process.env.TEST_DATABASE_URL !== undefined;
const RECORDS = 12;

describe('doctor', () => {
  let service: TestApp;
  let run: ReturnType<typeof runner>;
  let ids: number[];
  let [typeId, priceKey] = [0, 0];

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    run = runner({ DATABASE_URL: service.database.url, API_TOKENS: '' });
    const fields = [
      { name: 'price', type: 'integer', indexed: true },
      { name: 'sku', type: 'string', unique: true },
    ];
    await service.http().put('/api/admin/types/post').send({ fields }).expect(200);
    ids = [];
    for (let n = 0; n < RECORDS; n++) ids.push(await create(n));
    await service.http().delete(`/api/cms/post/${ids[0]}`).expect(204);
    await service.http().put(`/api/cms/post/${ids[1]}`).set('If-Match', '"1"').send({ title: 'Changed' }).expect(200);
    await service.app.get(RecordJobs).foldCounts();
    [{ type_id: typeId }] = await query<[{ type_id: number }]>('SELECT type_id FROM records WHERE id = ?', [one()]);
    const [row] = await query<[{ id: number }]>('SELECT id FROM content_fields WHERE name = ?', ['price']);
    priceKey = row.id;
  });
  afterAll(() => service.close());

  async function create(n: number): Promise<number> {
    const status = n % 3 === 0 ? 'draft' : 'published';
    const body = { title: `Number ${n}`, body: 'Words to be found', price: n, sku: `s${n}`, status };
    const made = await service
      .http()
      .post('/api/cms/post')
      .send({ ...body, terms: { tag: ['red'] } })
      .expect(201);
    return (made.body as { data: { id: number } }).data.id;
  }

  const one = (): number => ids[2] ?? 0;
  const query = <Rows>(sql: string, values: readonly SqlValue[] = []): Promise<Rows> =>
    service.app.get(Writer, { strict: false }).source.query<Rows>(sql, [...values]);
  const faultsOf = ({ out }: Ran): string[] => out.split('\n').filter((line) => line.startsWith('fail'));
  const dump = async (): Promise<string> => {
    const tables = ['records', 'record_contents', 'revisions', 'record_fields', 'content_types', 'terms', 'users'];
    const rows = [];
    for (const table of tables) rows.push(await query(`SELECT * FROM ${table} ORDER BY 1, 2, 3`));
    return JSON.stringify(rows);
  };

  it('finds nothing wrong with what the service has written', async () => {
    const { code, out } = await run('doctor --deep');

    expect(out.split('\n').filter((line) => !line.startsWith('ok'))).toEqual([]);
    expect(code).toBe(0);
  });

  it('repairs nothing where nothing is wrong', async () => {
    const { code, out } = await run('doctor --repair --deep');

    expect(out).not.toMatch(/^(done|fail)/m);
    expect(code).toBe(0);
  });

  const SEARCH_BREAKS = isServer
    ? ([
        [
          'a record has no document',
          () => query('DELETE FROM search_documents WHERE record_id = ?', [one()]),
          'search',
          /1 records are not found as they are/,
          /indexed all records again/,
        ],
        [
          'a document has a former status',
          () => query("UPDATE search_documents SET status = 'draft' WHERE record_id = ?", [one()]),
          'search',
          /1 records are not found as they are/,
          /indexed all records again/,
        ],
        [
          'a document is of no record',
          () =>
            query(
              "INSERT INTO search_documents (record_id, type_id, status, sort_at, title, terms, body) VALUES (999999, 1, 'published', 1, 'x', '', '')",
            ),
          'search',
          /1 documents are of no record/,
          /indexed all records again/,
        ],
      ] as const)
    : ([
        [
          'a record has no document',
          () => query('DELETE FROM search_index WHERE rowid = ?', [rowId(typeId, 'published', one())]),
          'search',
          /1 records are not found as they are/,
          /indexed all records again/,
        ],
        [
          'a document is of no record',
          () =>
            query("INSERT INTO search_index (rowid, title, terms, body) VALUES (?, 'x', '', '')", [
              rowId(typeId, 'draft', 999_999),
            ]),
          'search',
          /1 documents are of no record/,
          /indexed all records again/,
        ],
        [
          'a document has a former status',
          () =>
            query("INSERT INTO search_index (rowid, title, terms, body) VALUES (?, 'x', '', '')", [
              rowId(typeId, 'draft', one()),
            ]),
          'search',
          /1 documents are of no record, or of what one was/,
          /indexed all records again/,
        ],
      ] as const);

  it.each([
    [
      'a number of records is wrong',
      () => query('UPDATE record_counts SET n = n + 5 WHERE type_id = ? AND status = ?', [typeId, 'published']),
      'counts',
      /1 of record_counts differ/,
      /recounted 1 of record_counts/,
    ],
    [
      'numbers of records are gone',
      () => query('DELETE FROM record_counts WHERE type_id = ?', [typeId]),
      'counts',
      /\d of record_counts differ/,
      /recounted \d of record_counts/,
    ],
    [
      'a number of a term is wrong',
      () => query("UPDATE term_counts SET n = n - 1 WHERE status = 'published'"),
      'counts',
      /1 of term_counts differ/,
      /recounted 1 of term_counts/,
    ],
    [
      'a type that is gone has a number',
      () => query("INSERT INTO record_counts (type_id, status, n) VALUES (987654, 'draft', 3)"),
      'counts',
      /1 of record_counts differ/,
      /recounted 1 of record_counts/,
    ],
    [
      'a record has no rows to filter by',
      () => query('DELETE FROM record_fields WHERE record_id = ?', [one()]),
      'fields',
      /1 records are not indexed as they are: \d+/,
      /indexed the fields of 1 records/,
    ],
    [
      'a record has lost the rows of its terms',
      () => query('DELETE FROM record_fields WHERE record_id = ? AND field_id = 0', [one()]),
      'counts',
      /1 of term_counts differ/,
      /indexed the fields of 1 records/,
    ],
    [
      'a row has another time than its record',
      () => query('UPDATE record_fields SET sort_at = 5 WHERE record_id = ? AND field_id = ?', [one(), priceKey]),
      'fields',
      /1 records are not indexed/,
      /indexed the fields of 1 records/,
    ],
    [
      'rows are of a record that is gone',
      () =>
        query('INSERT INTO record_fields (record_id, field_id, pos, num, sort_at) VALUES (999999, ?, 0, 5, 1)', [
          priceKey,
        ]),
      'fields',
      /1 records are not indexed as they are: 999999/,
      /indexed the fields of 1 records/,
    ],
    [
      'rows are of a record in the trash',
      () =>
        query('INSERT INTO record_fields (record_id, field_id, pos, num, sort_at) VALUES (?, ?, 0, 5, 1)', [
          ids[0] ?? 0,
          priceKey,
        ]),
      'fields',
      /1 records are not indexed as they are: \d+/,
      /indexed the fields of 1 records/,
    ],
    [
      'a job of indexing waits since long ago',
      () => query("INSERT INTO search_jobs (kind, target_id, position, created_at) VALUES ('all', 0, 0, 1)"),
      'search',
      /1 jobs of indexing have waited/,
      /indexed all records again/,
    ],
    ...SEARCH_BREAKS,
  ] as const)('finds and repairs that %s, and touches no content', async (_, breaks, check, fault, done) => {
    const before = await dump();
    await breaks();

    const found = await run('doctor');
    const repaired = await run('doctor --repair');
    const after = await run('doctor --deep');
    const again = await run('doctor --repair');

    const line = new RegExp(`^fail {2}${check} +.*${fault.source}`, 'm');
    expect(found.out).toMatch(line);
    expect(found.code).toBe(1);
    expect(repaired.out).toMatch(new RegExp(`^done {2}${check} +.*${done.source}`, 'm'));
    expect([repaired.code, faultsOf(repaired)]).toEqual([3, []]);
    expect([after.code, faultsOf(after)]).toEqual([0, []]);
    expect(again.code).toBe(0);
    expect(again.out).not.toMatch(/^done/m);
    expect(await dump()).toBe(before);
  });

  it('compares with --deep what rows say, and repairs it', async () => {
    await query('UPDATE record_fields SET num = 77 WHERE record_id = ? AND field_id = ?', [one(), priceKey]);

    expect((await run('doctor')).code).toBe(0);
    const found = await run('doctor --deep');
    expect(found.out).toMatch(/^fail {2}fields +1 records are not indexed as they are: .*doctor --repair --deep\.$/m);
    const repaired = await run('doctor --deep --repair');
    expect([repaired.code, faultsOf(repaired)]).toEqual([3, []]);
    const { body } = await service.http().get('/api/cms/post?filter[price]=2').expect(200);
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual([one()]);
  });

  it('leaves a record alone of which a unique value is taken, says so, and ends with 1', async () => {
    const [other = 0] = ids.slice(4);
    const dataOf = async (id: number): Promise<string> => {
      const [row] = await query<[{ data: string }]>('SELECT data FROM record_contents WHERE record_id = ?', [id]);
      return row.data;
    };
    const own = await dataOf(other);
    const setData = (data: string) => query('UPDATE record_contents SET data = ? WHERE record_id = ?', [data, other]);
    await setData(await dataOf(one()));
    await query('DELETE FROM record_fields WHERE record_id = ?', [one()]);

    const { code, out } = await run('doctor --repair --deep');

    expect(out).toMatch(/^done {2}fields +indexed the fields of 1 records anew$/m);
    const left = 'left as they were, since another record has a value of theirs that has to be unique';
    expect(out).toMatch(new RegExp(`^done {2}fields +${left}: ${other}$`, 'm'));
    expect(code).toBe(1);
    await setData(own);
    expect((await run('doctor --deep')).code).toBe(0);
  });
});
