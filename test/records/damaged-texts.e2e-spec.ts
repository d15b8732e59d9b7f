import { Writer } from '../../src/database/statements/writer.js';
import { runner } from '../support/cli-runner.js';
import { expectError } from '../support/errors.js';
import { Historian } from '../support/historian.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { createTestFile, type TestDatabase } from '../support/test-database.js';

/** Only SQLite keeps bytes in a column of text. */
describe('A record of which a text is stored as bytes', () => {
  let file: TestDatabase;
  let service: TestApp;
  let historian: Historian;
  let last = 0;

  beforeAll(async () => {
    file = createTestFile();
    service = await startTestApp({ RATE_LIMITS: 'off', DATABASE_URL: file.url });
    historian = new Historian(service);
  });
  afterAll(async () => {
    await service.close();
    await file.drop();
  });

  const query = <Rows>(sql: string, values: readonly number[]): Promise<Rows> =>
    service.app.get(Writer, { strict: false }).source.query<Rows>(sql, [...values]);
  const typesOf = (id: number) =>
    query(
      'SELECT typeof(title) AS title, typeof(body) AS body FROM records JOIN record_contents ON record_id = id WHERE id = ?',
      [id],
    );
  const put = (id: number, body: object) => service.http().put(`/api/cms/post/${id}`).send(body);

  async function aDamagedRecord(column: 'title' | 'body'): Promise<{ id: number; word: string }> {
    last += 1;
    const word = `turquoise${last}`;
    const id = await historian.create({ title: `Title ${word}`, body: `Body ${word}`, status: 'published' });
    await query(
      column === 'title'
        ? 'UPDATE records SET title = CAST(title AS BLOB) WHERE id = ?'
        : 'UPDATE record_contents SET body = CAST(body AS BLOB) WHERE record_id = ?',
      [id],
    );
    return { id, word };
  }

  describe.each(['title', 'body'] as const)('%s', (column) => {
    it('is shown with what the bytes spell: by itself, in lists, again and again, and in searches', async () => {
      const { id, word } = await aDamagedRecord(column);
      const whole = { id, title: `Title ${word}`, body: `Body ${word}` };

      expect((await historian.get(id).expect(200)).body.data).toMatchObject(whole);
      for (let times = 0; times < 3; times += 1) {
        for (const order of ['title', '-created_at']) {
          const { body } = await service.http().get(`/api/cms/post?per_page=100&sort=${order}`).expect(200);
          expect(body.data).toContainEqual(expect.objectContaining(whole));
        }
        const { body } = await service.http().get(`/api/cms/search?q=${word}`).expect(200);
        expect(body.data).toEqual([expect.objectContaining({ id, excerpt: expect.stringContaining(word) })]);
      }
      await service.http().get('/api/cms/post/-/export?format=csv').expect(200);
    });

    it('keeps the bytes through every write but one of this column', async () => {
      const { id } = await aDamagedRecord(column);
      const damaged = await typesOf(id);

      const refused = await put(id, { status: 'archived' });
      expectError(refused, 'record_damaged');
      expect(refused.body.details).toEqual([{ column }]);
      await service.http().delete(`/api/cms/post/${id}`).expect(204);
      await historian.post(`${id}/restore`).expect(200);
      expect(await typesOf(id)).toEqual(damaged);

      await put(id, { [column]: 'Another one' }).expect(200);
      expect(await typesOf(id)).toEqual([{ title: 'text', body: 'text' }]);
      await put(id, { status: 'archived' }).expect(200);
    });

    it('is replaced by a rollback of the whole record', async () => {
      const { id } = await aDamagedRecord(column);
      const [first = 0] = await historian.times(id);

      await historian.post(`${id}/rollback/${first}`).expect(200);

      expect(await typesOf(id)).toEqual([{ title: 'text', body: 'text' }]);
    });

    it('is named by doctor', async () => {
      const { id } = await aDamagedRecord(column);

      const { code, out } = await runner({ DATABASE_URL: file.url })('doctor --deep');

      expect(code).toBe(1);
      expect(out).toContain(`post/${id}: ${column} is no text`);
    });
  });
});
