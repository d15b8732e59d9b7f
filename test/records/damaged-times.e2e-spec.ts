import { Writer } from '../../src/database/statements/writer.js';
import { runner } from '../support/cli-runner.js';
import { expectError } from '../support/errors.js';
import { Historian } from '../support/historian.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Milliseconds behind the last ones that there is a date for. */
const NO_TIME = 9_000_000_000_000_000;
const FIRST_MOMENT = '1970-01-01T00:00:00.000Z';

describe('A record of which a time is none', () => {
  let service: TestApp;
  let historian: Historian;
  let last = 0;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    historian = new Historian(service);
  });
  afterAll(() => service.close());

  const query = <Rows>(sql: string, values: readonly number[]): Promise<Rows> =>
    service.app.get(Writer, { strict: false }).source.query<Rows>(sql, [...values]);
  const put = (id: number, body: object) => service.http().put(`/api/cms/post/${id}`).send(body);
  const storedIn = async (id: number, column: string): Promise<number> => {
    const [row] = await query<{ at: number | string }[]>(`SELECT ${column} AS at FROM records WHERE id = ?`, [id]);
    return Number(row?.at);
  };

  async function aDamagedRecord(column: string): Promise<{ id: number; word: string }> {
    last += 1;
    const word = `vermilion${last}`;
    const id = await historian.create({ title: word, status: 'published', terms: { tag: ['red'] } });
    await query(`UPDATE records SET ${column} = ${NO_TIME} WHERE id = ?`, [id]);
    return { id, word };
  }

  it.each(['created_at', 'updated_at', 'published_at'])(
    'is shown by itself, in lists, searches and exports: %s',
    async (column) => {
      const { id, word } = await aDamagedRecord(column);
      const shown = { id, title: word, [column]: FIRST_MOMENT };

      expect((await historian.get(id).expect(200)).body.data).toMatchObject(shown);
      for (const parameters of ['sort=title', 'sort=-published_at', 'filter[tag]=red', '']) {
        const { body } = await service.http().get(`/api/cms/post?per_page=100&${parameters}`).expect(200);
        expect(body.data).toContainEqual(expect.objectContaining(shown));
      }
      const { body } = await service.http().get(`/api/cms/search?q=${word}`).expect(200);
      expect(body.data).toEqual([expect.objectContaining({ id })]);
      const { text } = await service.http().get('/api/cms/post/-/export?format=csv').expect(200);
      expect(text).toContain(word);
      expect((await service.http().get('/sitemap.xml').expect(200)).text).toContain(word);
    },
  );

  it('is written on where the time is that of its last write, which is then a time again', async () => {
    const { id } = await aDamagedRecord('updated_at');

    const { body } = await put(id, { body: 'Text' }).expect(200);

    expect(body.data.updated_at).not.toBe(FIRST_MOMENT);
    expect(await storedIn(id, 'updated_at')).toBe(Date.parse(body.data.updated_at));
    await service.http().get(`/api/cms/post/${id}/revisions`).expect(200);
  });

  it('is written on, and trashed and restored, where it does not say when it was created; that stays', async () => {
    const { id } = await aDamagedRecord('created_at');

    await put(id, { body: 'Text', status: 'archived' }).expect(200);
    await service.http().delete(`/api/cms/post/${id}`).expect(204);
    await historian.post(`${id}/restore`).expect(200);

    expect(await storedIn(id, 'created_at')).toBe(NO_TIME);
  });

  it('keeps a damaged time of publication through every write but one that sends it', async () => {
    const { id } = await aDamagedRecord('published_at');

    const refused = await put(id, { body: 'Text' });
    expectError(refused, 'record_damaged');
    expect(refused.body.details).toEqual([{ column: 'published_at' }]);
    expect(await storedIn(id, 'published_at')).toBe(NO_TIME);

    await put(id, { published_at: '2020-01-02T03:04:05Z' }).expect(200);
    expect((await put(id, { body: 'Text' }).expect(200)).body.data.published_at).toBe('2020-01-02T03:04:05.000Z');
  });

  it('is whole again after a rollback', async () => {
    const { id } = await aDamagedRecord('published_at');
    const [first = 0] = await historian.times(id);

    await historian.post(`${id}/rollback/${first}`).expect(200);

    expect(await storedIn(id, 'published_at')).toBeLessThan(NO_TIME);
  });

  it('is named by doctor', async () => {
    const { id } = await aDamagedRecord('created_at');

    const { code, out } = await runner({ DATABASE_URL: service.database.url })('doctor --deep');

    expect(code).toBe(1);
    expect(out).toContain(`post/${id}: created_at is no time`);
  });
});
