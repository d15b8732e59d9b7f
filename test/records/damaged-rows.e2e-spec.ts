import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runner, type Ran } from '../support/cli-runner.js';
import { startTestApp } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { openDataSource } from '../../src/database/dialect/data-source.js';
import { dialectFor } from '../../src/database/dialect-for.js';
import { typeRequests } from '../support/type-requests.js';

/** Above what any program of JavaScript can read from a column: both kinds of database take it. */
const BEYOND = '9007199254740993';
const isServer = process.env.TEST_DATABASE_URL !== undefined;

describe('Rows that another program has damaged', () => {
  let folder: string;
  let database: TestDatabase;
  let damaged: number;
  let sound: number;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cms-damaged-'));
    database = await createTestDatabase();
    const service = await startTestApp({ DATABASE_URL: database.url });
    damaged = await typeRequests(() => service).aRecord('post', { title: 'Damaged' });
    sound = await typeRequests(() => service).aRecord('post', { title: 'Sound' });
    await service.close();
    await change(`UPDATE records SET updated_at = ${BEYOND} WHERE id = ${damaged}`);
  });

  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  const cli = (words: readonly string[], { url } = database): Promise<Ran> => runner({ DATABASE_URL: url })(words);
  const path = (name: string): string => join(folder, name);

  async function change(sql: string): Promise<void> {
    const source = await openDataSource(dialectFor(database.address).writerOptions());
    await source.query(sql);
    await source.destroy();
  }

  it('end a backup with their table, key and column, and with what can be done', async () => {
    const { code, error } = await cli(['backup', path('refused'), '--json']);

    expect(code).toBe(1);
    const { message, ...rest } = JSON.parse(error) as { message: string };
    expect(rest).toEqual({
      error: 'damaged_row',
      details: [{ table: 'records', key: { id: damaged }, column: 'updated_at', expected: 'integer' }],
    });
    expect(message).toBe(
      `The row id = ${damaged} of the table records is damaged: updated_at holds no integer. Mend or delete it, or leave out such rows with --skip-damaged.`,
    );
    expect(existsSync(path('refused'))).toBe(false);
  });

  it('are left out on demand, and the backup, its summary and its restore name them', async () => {
    const target = await createTestDatabase();
    const skipped = [{ table: 'records', key: { id: damaged }, column: 'updated_at', expected: 'integer' }];
    const left = { count: 1, rows: skipped };

    const backup = await cli(['backup', path('partial'), '--skip-damaged', '--json']);
    const restore = await cli(['restore', path('partial'), '--verify', '--json'], target);
    const forced = await cli(['restore', path('partial'), '--force'], target);

    expect([backup.code, JSON.parse(backup.out)]).toEqual([3, expect.objectContaining({ skipped: left })]);
    expect([restore.code, JSON.parse(restore.out)]).toEqual([
      0,
      expect.objectContaining({ skipped: left, differing: [] }),
    ]);
    const warning = 'Warning: the backup is partial. 1 damaged row was left out when it was made.';
    expect([restore.error, forced.error]).toEqual([warning, warning]);
    expect(forced.out).toContain(`1 damaged row was left out of the backup:\nrecords id = ${damaged} (updated_at)`);
    const service = await startTestApp({ DATABASE_URL: target.url });
    const { body } = await service.http().get('/api/cms/post');
    expect((body as { data: { id: number }[] }).data.map(({ id }) => id)).toEqual([sound]);
    await service.close();
    await target.drop();
  });

  it('are none where nothing is damaged, and a backup that may leave out rows is then like any other', async () => {
    const other = await createTestDatabase();
    await (await startTestApp({ DATABASE_URL: other.url })).close();

    const { code, out } = await cli(['backup', path('whole'), '--skip-damaged', '--json'], other);

    expect([code, JSON.parse(out)]).toEqual([0, expect.not.objectContaining({ skipped: expect.anything() })]);
    await other.drop();
  });

  // Servers keep the types of their columns by themselves.
  if (!isServer)
    it.each([
      ['a text where bytes belong', 'revisions', 'snapshot', "'text'", 'blob'],
      ['bytes where a text belongs', 'record_contents', 'body', "x'00ff'", 'text'],
      ['an empty text where a number belongs', 'records', 'published_at', "''", 'integer'],
    ])('are known by %s', async (_, table, column, value, expected) => {
      await change(`UPDATE ${table} SET ${column} = ${value}`);

      const { code, out } = await cli(['backup', path(`odd-${column}`), '--skip-damaged', '--json']);

      expect(code).toBe(3);
      const { rows } = (JSON.parse(out) as { skipped: { rows: object[] } }).skipped;
      expect(rows).toContainEqual(expect.objectContaining({ table, column, expected }));
    });
});
