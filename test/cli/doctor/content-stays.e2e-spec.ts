import type { SqlValue } from '../../../src/database/statements/statement.js';
import { Writer } from '../../../src/database/statements/writer.js';
import { runner, type Ran } from '../../support/cli-runner.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

describe('doctor --repair', () => {
  let service: TestApp;
  let run: ReturnType<typeof runner>;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    run = runner({ DATABASE_URL: service.database.url });
  });
  afterAll(() => service.close());

  async function create(): Promise<number> {
    const made = await service.http().post('/api/cms/post').send({ title: 'One', status: 'published' }).expect(201);
    return (made.body as { data: { id: number } }).data.id;
  }

  const query = <Rows>(sql: string, values: readonly SqlValue[] = []): Promise<Rows> =>
    service.app.get(Writer, { strict: false }).source.query<Rows>(sql, [...values]);
  const faultsOf = ({ out }: Ran): string[] => out.split('\n').filter((line) => line.startsWith('fail'));
  const dump = async (): Promise<string> => {
    const rows = [];
    for (const table of ['records', 'record_contents', 'revisions']) {
      rows.push(await query(`SELECT * FROM ${table} ORDER BY 1, 2`));
    }
    return JSON.stringify(rows);
  };

  it.each([
    [
      'a revision that is missing',
      (id: number) => query('DELETE FROM revisions WHERE record_id = ?', [id]),
      /^fail {2}revisions +post\/\d+: version \d+, no revision$/m,
    ],
    [
      'contents of a record that is gone',
      () => query("INSERT INTO record_contents (record_id, data) VALUES (888888, '{}')"),
      /^fail {2}ownerless +There are 1 contents of a record that is gone: 888888/m,
    ],
    [
      'a working copy of a record that is gone',
      () =>
        query(
          "INSERT INTO record_drafts (record_id, type_id, version, base_version, changes, bases, created_by, updated_by, created_at, updated_at) VALUES (888886, 1, 1, 1, '{}', '{}', 1, 1, 1, 1)",
        ),
      /^fail {2}ownerless +There are 1 working copies of a record that is gone: 888886/m,
    ],
    [
      'revisions of a record that is gone',
      (id: number) => query('UPDATE revisions SET record_id = 888887 WHERE record_id = ?', [id]),
      /^fail {2}ownerless +There are 1 records that are gone and have left revisions: 888887/m,
    ],
    [
      'a record of a type that is gone',
      () =>
        query(
          "INSERT INTO records (id, type_id, locale, title, title_key, status, version, created_by, updated_by, created_at, updated_at) VALUES (777777, 987654, 'en', 'x', 'x', 'draft', 1, 1, 1, 1, 1)",
        ),
      /^fail {2}ownerless +There are 1 records of a type that is gone: 777777/m,
    ],
  ] as const)('names %s, and drops none of it', async (_, breaks, line) => {
    const id = await create();
    await breaks(id);
    const before = await dump();

    const { code, out } = await run('doctor --repair');

    expect(out).toMatch(line);
    expect(code).toBe(1);
    expect(await dump()).toBe(before);
    await query('DELETE FROM record_contents WHERE record_id = 888888');
    await query('DELETE FROM record_drafts WHERE record_id = 888886');
    await query('DELETE FROM records WHERE id = 777777');
    await query('DELETE FROM revisions WHERE record_id = 888887');
    const { version } = (await service.http().get(`/api/cms/post/${id}`).expect(200)).body.data as { version: number };
    await service
      .http()
      .patch(`/api/cms/post/${id}`)
      .set('If-Match', `"${version}"`)
      .send({ title: `Again ${id}` });
    expect(faultsOf(await run('doctor'))).toEqual([]);
  });
});
