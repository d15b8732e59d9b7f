import { openTestDatabase, type OpenDatabase } from '../../../test/support/open-database.js';
import { statementsOver } from '../../../test/support/statements.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { execute, select } from '../../database/statements/statement.js';
import type { RecordRow } from '../rows/record-row.js';
import { rewriteRecord } from './record-rows.js';
import { stateOf, writtenRow } from './record-state.js';

const COLUMNS = 'locale, slug, title, title_key, status, published_at, updated_by, updated_at, version';

describe('The narrow row of a record that is written again', () => {
  let open: OpenDatabase;
  let sent: string[];
  const row: RecordRow = {
    id: 7,
    type_id: 1,
    locale: 'en',
    slug: 'old',
    title: 'Old',
    status: 'draft',
    version: 3,
    created_by: 1,
    updated_by: 1,
    created_at: 10,
    updated_at: 10,
    published_at: null,
    first_published_at: null,
    trashed_at: 0,
    body: 'text',
    data: '{}',
    trashed_slug: null,
    terms: null,
  };
  const authorship = { actor: 2, at: 20 };
  // Of the type only this is asked.
  const type = { sharesAddresses: false } as CompiledType;

  beforeAll(async () => {
    open = await openTestDatabase();
    const { source } = open.writer;
    sent = statementsOver(source);
    await source.query(
      `CREATE TABLE records (id INTEGER PRIMARY KEY, locale VARCHAR(12), slug VARCHAR(191), title VARCHAR(255), title_key VARCHAR(64),
        status VARCHAR(16), published_at BIGINT, updated_by BIGINT, updated_at BIGINT, version INTEGER, trashed_at BIGINT)`,
    );
  });

  beforeEach(async () => {
    await open.units.run(async (manager) => {
      await execute(manager, 'DELETE FROM records');
      await execute(
        manager,
        `INSERT INTO records (id, ${COLUMNS}, trashed_at) VALUES (7, 'en', 'old', 'Old', 'old', 'draft', NULL, 1, 10, 3, 0)`,
      );
    });
    sent.length = 0;
  });

  afterAll(() => open.close());

  const rewritten = (change: Partial<ReturnType<typeof stateOf>>, version = 3) =>
    open.units.run(async (manager) => {
      const next = writtenRow(row, { ...stateOf(row), ...change }, authorship);
      const rewrite = { row: { ...row, version }, next };
      return (await rewriteRecord(manager, type, rewrite, open.writer.dialect))();
    });
  const stored = async () => {
    const [found] = await open.units.run((manager) =>
      select<Record<string, unknown>>(manager, `SELECT ${COLUMNS} FROM records`),
    );
    return Object.fromEntries(
      Object.entries(found ?? {}).map(([name, value]) => [
        name,
        /_at$|_by$/.test(name) && value !== null ? Number(value) : value,
      ]),
    );
  };
  const before = { locale: 'en', slug: 'old', title: 'Old', title_key: 'old', status: 'draft', published_at: null };

  it('has its columns set that are others, and no more', async () => {
    expect(await rewritten({ body: 'another text' })).toBe(1);

    expect(await stored()).toEqual({ ...before, updated_by: 2, updated_at: 20, version: 4 });
    const update = sent.find((sql) => sql.includes('UPDATE records')) ?? '';
    expect(/SET (.*)/.exec(update)?.[1]).toBe('updated_by = ?, updated_at = ?, version = version + 1');
  });

  it.each([
    [{ title: 'New' }, { title: 'New', title_key: 'new' }],
    [{ slug: 'new' }, { slug: 'new' }],
    [{ locale: 'cs' }, { locale: 'cs' }],
    [
      { status: 'published', publishedAt: 20 },
      { status: 'published', published_at: 20 },
    ],
  ] as const)('takes %j', async (change, columns) => {
    expect(await rewritten(change)).toBe(1);

    expect(await stored()).toEqual({ ...before, ...columns, updated_by: 2, updated_at: 20, version: 4 });
  });

  it('stays as it is at another version', async () => {
    expect(await rewritten({ title: 'New' }, 2)).toBe(0);

    expect(await stored()).toEqual({ ...before, updated_by: 1, updated_at: 10, version: 3 });
  });
});
