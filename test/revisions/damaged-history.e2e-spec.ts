import { gunzipSync, gzipSync } from 'node:zlib';
import { Writer } from '../../src/database/statements/writer.js';
import type { SqlValue } from '../../src/database/statements/statement.js';
import { runner } from '../support/cli-runner.js';
import { expectError } from '../support/errors.js';
import { Historian } from '../support/historian.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const BODY = `Paid: 1000 EUR. ${'The rest of a long contract stands here. '.repeat(20)}`;

describe('A damaged history', () => {
  let service: TestApp;
  let historian: Historian;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    historian = new Historian(service);
  });
  afterAll(() => service.close());

  const query = <Rows>(sql: string, values: readonly SqlValue[]): Promise<Rows> =>
    service.app.get(Writer, { strict: false }).source.query<Rows>(sql, [...values]);

  /** A record with three revisions. */
  async function aRecord(): Promise<{ id: number; times: number[] }> {
    const id = await historian.create({ title: 'One', body: BODY });
    await historian.update(id, { title: 'Two' });
    await historian.update(id, { title: 'Three' });
    return { id, times: await historian.times(id) };
  }

  type Change = (snapshot: Buffer) => Buffer;

  async function damage(id: number, ts: number, change: Change): Promise<void> {
    const [row] = await query<{ snapshot: Buffer }[]>('SELECT snapshot FROM revisions WHERE record_id = ? AND ts = ?', [
      id,
      ts,
    ]);
    const damaged = change(row?.snapshot ?? Buffer.alloc(0));
    await query('UPDATE revisions SET snapshot = ? WHERE record_id = ? AND ts = ?', [damaged, id, ts]);
  }

  const spoiled: Change = (snapshot) => Buffer.concat([Buffer.alloc(8, 0xff), snapshot.subarray(8)]);

  /** Says another sum of the same length, and can be unpacked; the checksum is that of what was written. */
  const forged: Change = (snapshot) => {
    const other = gzipSync(gunzipSync(snapshot).toString().replace('1000 EUR', '9000 EUR'));
    return Buffer.concat([other.subarray(0, -8), snapshot.subarray(-8)]);
  };

  describe.each([
    ['cannot be unpacked', spoiled],
    ['says something else', forged],
  ])('of which a revision %s', (_, change) => {
    it('keeps all its other revisions, and goes on', async () => {
      const { id, times } = await aRecord();
      const [first = 0, second = 0, third = 0] = times;
      await damage(id, second, change);

      await historian.update(id, { title: 'Four' });

      const titles = [];
      for (const ts of [first, third, (await historian.times(id)).at(-1) ?? 0]) {
        const { body } = await historian.get(`${id}/revisions/${ts}`).expect(200);
        titles.push(body.data.snapshot.title);
      }
      expect(titles).toEqual(['One', 'Three', 'Four']);
      const { body } = await historian.get(`${id}/revisions/${third}/diff?against=${first}`).expect(200);
      expect(body.data.changes).toMatchObject([{ field: 'title', from: 'One', to: 'Three' }]);
      await historian.post(`${id}/rollback/${first}`).expect(200);
      expect((await historian.get(id)).body.data).toMatchObject({ title: 'One', body: BODY });
    });

    it('does not keep its record from being deleted, restored and removed', async () => {
      const { id, times } = await aRecord();
      await damage(id, times.at(-1) ?? 0, change);

      await service.http().delete(`/api/cms/post/${id}`).expect(204);
      await historian.post(`${id}/restore`).expect(200);

      expect((await historian.history(id))[0]).toMatchObject({ action: 'restore', current: true });
      await service.http().delete(`/api/cms/post/${id}?permanent=true`).expect(204);
    });

    it('is reported by name wherever a state would have been false', async () => {
      const { id, times } = await aRecord();
      const [, second = 0, third = 0] = times;
      await damage(id, second, change);

      expectError(await historian.get(`${id}/revisions/${second}`), 'revision_damaged');
      expectError(await historian.get(`${id}/revisions/${second}/diff`), 'revision_damaged');
      expectError(await historian.get(`${id}/revisions/${third}/diff`), 'revision_damaged');
      expectError(await historian.post(`${id}/rollback/${second}`), 'revision_damaged');
      expectError(await historian.post(`${id}/rollback/${second}?dry_run=true`), 'revision_damaged');
      expect((await historian.get(id)).body.data).toMatchObject({ title: 'Three', body: BODY, version: 3 });
    });
  });

  it('of which nothing is left goes on with the next write', async () => {
    const { id } = await aRecord();
    await query('DELETE FROM revisions WHERE record_id = ?', [id]);

    await historian.update(id, { title: 'Four' });

    expect((await historian.history(id)).map(({ version, title }) => [version, title])).toEqual([[4, 'Four']]);
  });

  it('whose time is none is shown beside the others, and named by doctor', async () => {
    await query('DELETE FROM revisions', []);
    const { id, times } = await aRecord();
    await query('UPDATE revisions SET ts = ? WHERE record_id = ? AND ts = ?', [8e18, id, times[0] ?? 0]);

    const shown = (await historian.history(id)).map(({ created_at: at }) => at);
    expect(shown).toEqual(['1970-01-01T00:00:00.000Z', expect.any(String), expect.any(String)]);
    await historian.update(id, { title: 'Four' });
    expect(await historian.history(id)).toHaveLength(4);

    const { code, out } = await runner({ DATABASE_URL: service.database.url })('doctor --deep');
    expect(code).toBe(1);
    expect(out).toMatch(new RegExp(`post/${id}/revisions/8\\d+: Its time is none`));
  });

  it.each(['none', '{"title":1}', '[1]'])(
    'shows a revision that does not say what it changed (%s) without that',
    async (text) => {
      const doctor = runner({ DATABASE_URL: service.database.url });
      await query('DELETE FROM revisions', []);
      const { id, times } = await aRecord();
      const [, second = 0] = times;
      await query('UPDATE revisions SET changed = ? WHERE record_id = ? AND ts = ?', [text, id, second]);

      expect((await historian.history(id)).map(({ changed }) => changed)).toEqual([['title'], [], expect.anything()]);
      const { body } = await historian.get(`${id}/revisions/${second}`).expect(200);
      expect(body.data).toMatchObject({ changed: [], snapshot: { title: 'Two' } });
      expect((await doctor('doctor --deep')).out).toContain(
        `post/${id}/revisions/${second}: What it changed cannot be read.`,
      );
    },
  );

  it('is named by doctor, revision by revision', async () => {
    const doctor = runner({ DATABASE_URL: service.database.url });
    await query('DELETE FROM revisions', []);
    const { id, times } = await aRecord();
    const [first = 0, second = 0, third = 0] = times;
    await damage(id, second, forged);

    const { code, out } = await doctor('doctor --deep');

    expect(code).toBe(1);
    expect(out).toContain(`post/${id}/revisions/${second}: `);
    for (const ts of [first, third]) expect(out).not.toContain(`post/${id}/revisions/${ts}: `);
    await query('DELETE FROM revisions', []);
    await aRecord();
    expect((await doctor('doctor --deep')).out).toMatch(/^ok +histories +3 revisions are whole$/m);
    expect((await doctor('doctor')).out).not.toContain('histories');
  });

  it('is whole after every way of writing', async () => {
    await query('DELETE FROM revisions', []);
    const { id, times } = await aRecord();
    await historian.update(id, { status: 'published' });
    await historian.post(`${id}/rollback/${times[0] ?? 0}`).expect(200);
    await service.http().delete(`/api/cms/post/${id}`).expect(204);
    await historian.post(`${id}/restore`).expect(200);

    const { out } = await runner({ DATABASE_URL: service.database.url })('doctor --deep');

    expect(out).toMatch(/^ok +histories +6 revisions are whole$/m);
  });
});
