import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataSource } from '../../src/database/schema/data-source.js';
import { dialectFor } from '../../src/database/dialect/dialect-for.js';
import type { DamagedRow } from '../../src/transfer/backup/damaged-rows.js';
import { runner, type Ran } from '../support/cli-runner.js';
import { startTestApp } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** Above what any program of JavaScript can read from a column: both kinds of database take it. */
const BEYOND = '9007199254740993';
/** No row has it. */
const NOWHERE = 99_999;
/** Of a type that was deleted a moment ago. */
const LEAVING = 99_998;

describe('A lossless export of a database of which another program has broken references', () => {
  let folder: string;
  let database: TestDatabase;
  /** Ids of records by their titles. */
  const records = new Map<string, number>();
  /** Ids of tags by their slugs. */
  const tags = new Map<string, number>();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cms-references-'));
    database = await createTestDatabase();
    const service = await startTestApp({ DATABASE_URL: database.url });
    const http = () => service.http();
    for (const title of ['Sound', 'Typeless', 'Leaving', 'Empty', 'Revised']) {
      const { body } = await http().post('/api/cms/post').send({ title }).expect(201);
      records.set(title, body.data.id as number);
    }
    await http()
      .put(`/api/cms/post/${idOf('Revised')}`)
      .send({ title: 'Revised twice' })
      .expect(200);
    for (const slug of ['kept', 'lost', 'merged', 'targetless', 'odd']) {
      const { body } = await http().post('/api/cms/taxonomy').send({ type: 'tag', name: slug }).expect(201);
      tags.set(slug, body.data.id as number);
    }
    for (const slug of ['merged', 'targetless', 'odd']) {
      await http().post(`/api/cms/taxonomy/tag/slug:${slug}/merge`).send({ into: 'kept' }).expect(200);
    }
    await service.close();
  });

  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  const idOf = (title: string): number => records.get(title) ?? 0;
  const tag = (slug: string): number => tags.get(slug) ?? 0;
  const cli = (words: readonly string[], { url } = database): Promise<Ran> => runner({ DATABASE_URL: url })(words);
  const path = (name: string): string => join(folder, name);

  async function change(...statements: readonly string[]): Promise<void> {
    const source = await openDataSource(dialectFor(database.address).writerOptions());
    for (const sql of statements) await source.query(sql);
    await source.destroy();
  }

  async function exported(name: string): Promise<Ran & { readonly rows: readonly DamagedRow[] }> {
    const ran = await cli(['export', '--out', path(name), '--skip-damaged', '--json']);
    const { skipped } = JSON.parse(ran.out) as { skipped?: { count: number; rows: DamagedRow[] } };
    expect(skipped?.count ?? 0).toBe(skipped?.rows.length ?? 0);
    return { ...ran, rows: skipped?.rows ?? [] };
  }

  it('names none where nothing is broken', async () => {
    expect(await exported('whole.ndjson')).toMatchObject({ code: 0, rows: [] });
  });

  it('passes over records of a type that is being deleted', async () => {
    await change(
      `INSERT INTO record_counts (type_id, status, n) VALUES (${LEAVING}, 'removed', 0)`,
      `UPDATE records SET type_id = ${LEAVING} WHERE id = ${idOf('Leaving')}`,
    );

    expect(await exported('leaving.ndjson')).toMatchObject({ code: 0, rows: [] });
  });

  it('names records without a type, terms without a taxonomy and redirects without a term', async () => {
    await change(
      `UPDATE records SET type_id = ${NOWHERE} WHERE id = ${idOf('Typeless')}`,
      `UPDATE terms SET taxonomy = 'nowhere' WHERE id = ${tag('lost')}`,
      `UPDATE term_redirects SET into_id = ${NOWHERE} WHERE term_id = ${tag('targetless')}`,
    );

    const refused = await cli(['export', '--out', path('refused.ndjson'), '--json']);
    const { code, rows } = await exported('references.ndjson');

    const expected = 'reference';
    const named: DamagedRow[] = [
      { table: 'records', key: { id: idOf('Typeless') }, column: 'type_id', expected },
      { table: 'terms', key: { id: tag('lost') }, column: 'taxonomy', expected },
      { table: 'term_redirects', key: { term_id: tag('targetless') }, column: 'into_id', expected },
    ];
    expect([code, rows]).toEqual([3, named]);
    expect(JSON.parse(refused.error)).toEqual({
      error: 'damaged_row',
      message: `The row id = ${idOf('Typeless')} of the table records is damaged: type_id refers to no row that there is. Mend or delete it, or leave out such rows with --skip-damaged.`,
      details: [named[0]],
    });
  });

  it('leaves them to the export of everything, where one type is asked for', async () => {
    const { code } = await cli(['export', '--out', path('posts.ndjson'), '--type', 'post', '--json']);

    expect(code).toBe(0);
  });

  it('names records without contents, and rows of redirects and revisions that hold what they should not', async () => {
    await change(
      `DELETE FROM record_contents WHERE record_id = ${idOf('Empty')}`,
      `UPDATE term_redirects SET term_id = ${BEYOND} WHERE term_id = ${tag('odd')}`,
      `UPDATE revisions SET actor_id = ${BEYOND} WHERE record_id = ${idOf('Revised')} AND version = 1`,
    );

    const { code, rows } = await exported('damaged.ndjson');

    expect(code).toBe(3);
    expect(rows.slice(3)).toEqual([
      expect.objectContaining({ table: 'term_redirects', column: 'term_id', expected: 'integer' }),
      {
        ...{ table: 'revisions', column: 'actor_id', expected: 'integer' },
        key: { record_id: idOf('Revised'), ts: expect.anything() },
      },
      { table: 'record_contents', key: { record_id: idOf('Empty') }, column: 'data', expected: 'json' },
    ]);
  });

  it('may be imported all the same, with the histories that are left', async () => {
    const target = await createTestDatabase();
    await (await startTestApp({ DATABASE_URL: target.url })).close();

    const { code, out } = await cli(['import', path('damaged.ndjson'), '--json'], target);

    expect([code, JSON.parse(out)]).toMatchObject([0, { counts: { created: 2, refused: 0 } }]);
    const lines = readFileSync(path('damaged.ndjson'), 'utf8').split('\n');
    expect(lines.filter((line) => line.includes('"kind":"revision"'))).toHaveLength(2);
    await target.drop();
  });
});
