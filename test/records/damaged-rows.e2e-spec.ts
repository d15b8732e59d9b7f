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

/** Values that columns of a kind may have. */
const WHOLE: Readonly<Record<string, string>> = { blob: "x'00'", text: "'text'", integer: 'NULL' };

describe('Rows that another program has damaged', () => {
  let folder: string;
  let database: TestDatabase;
  let damaged: number;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cms-damaged-'));
    database = await createTestDatabase();
    const service = await startTestApp({ DATABASE_URL: database.url });
    damaged = await typeRequests(() => service).aRecord('post', { title: 'Damaged' });
    await typeRequests(() => service).aRecord('post', { title: 'Sound' });
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
      `The row id = ${damaged} of the table records is damaged: updated_at holds no integer. Mend or delete it.`,
    );
    expect(existsSync(path('refused'))).toBe(false);
  });

  // Servers keep the types of their columns by themselves.
  if (!isServer)
    it.each([
      ['a text where bytes belong', 'revisions', 'snapshot', "'text'", 'blob'],
      ['bytes where a text belongs', 'record_contents', 'body', "x'00ff'", 'text'],
      ['an empty text where a number belongs', 'records', 'published_at', "''", 'integer'],
    ])('are known by %s', async (_, table, column, value, expected) => {
      await change(`UPDATE records SET updated_at = created_at WHERE id = ${damaged}`);
      await change(`UPDATE ${table} SET ${column} = ${value}`);

      const { code, error } = await cli(['backup', path(`odd-${column}`), '--json']);

      expect(code).toBe(1);
      expect(JSON.parse(error)).toMatchObject({ error: 'damaged_row', details: [{ table, column, expected }] });
      await change(`UPDATE ${table} SET ${column} = ${WHOLE[expected]}`);
    });
});
