import { deflateRawSync, inflateRawSync } from 'node:zlib';
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

  /** A record with a keyframe and two deltas. */
  async function aRecord(): Promise<{ id: number; times: number[] }> {
    const id = await historian.create({ title: 'One', body: BODY });
    await historian.update(id, { title: 'Two' });
    await historian.update(id, { title: 'Three' });
    return { id, times: await historian.times(id) };
  }

  async function keyframeOf(id: number): Promise<{ ts: number; snapshot: Buffer }> {
    const rows = await query<{ ts: number; snapshot: Buffer }[]>(
      'SELECT ts, snapshot FROM revisions WHERE record_id = ? AND base_ts IS NULL ORDER BY ts',
      [id],
    );
    expect(rows).toHaveLength(1);
    return rows[0] ?? { ts: 0, snapshot: Buffer.alloc(0) };
  }

  async function damageKeyframe(id: number): Promise<void> {
    const { ts, snapshot } = await keyframeOf(id);
    snapshot.fill(0xff, 0, 8);
    await query('UPDATE revisions SET snapshot = ? WHERE record_id = ? AND ts = ?', [snapshot, id, ts]);
  }

  async function removeKeyframe(id: number): Promise<void> {
    const { ts } = await keyframeOf(id);
    await query('DELETE FROM revisions WHERE record_id = ? AND ts = ?', [id, ts]);
  }

  /** The keyframe says another sum of the same length, and can be unpacked. */
  async function forgeKeyframe(id: number): Promise<void> {
    const { ts, snapshot } = await keyframeOf(id);
    const forged = deflateRawSync(Buffer.from(inflateRawSync(snapshot).toString().replace('1000 EUR', '9000 EUR')));
    await query('UPDATE revisions SET snapshot = ? WHERE record_id = ? AND ts = ?', [forged, id, ts]);
  }

  describe.each([
    ['the keyframe cannot be unpacked', damageKeyframe],
    ['the keyframe is missing', removeKeyframe],
    ['the keyframe says something else', forgeKeyframe],
  ])('of which %s', (_, damage) => {
    it('does not keep its record from being changed, and the next revision stands by itself', async () => {
      const { id } = await aRecord();
      await damage(id);

      await historian.update(id, { title: 'Four' });
      await historian.update(id, { title: 'Five' });

      const [newest = 0, before = 0] = (await historian.history(id)).map(({ ts }) => ts);
      const { body } = await historian.get(`${id}/revisions/${newest}/diff?against=${before}`).expect(200);
      expect(body.data.changes).toMatchObject([{ field: 'title', from: 'Four', to: 'Five' }]);
      await historian.post(`${id}/rollback/${before}`).expect(200);
      expect((await historian.get(id)).body.data).toMatchObject({ title: 'Four', body: BODY });
    });

    it('does not keep its record from being deleted, restored and removed', async () => {
      const { id } = await aRecord();
      await damage(id);

      await service.http().delete(`/api/cms/post/${id}`).expect(204);
      await historian.post(`${id}/restore`).expect(200);

      expect((await historian.history(id))[0]).toMatchObject({ action: 'restore', current: true });
      await service.http().delete(`/api/cms/post/${id}?permanent=true`).expect(204);
    });

    it('is reported by name wherever a state would have been false', async () => {
      const { id, times } = await aRecord();
      const [, second = 0, third = 0] = times;
      await damage(id);

      expectError(await historian.get(`${id}/revisions/${second}`), 'revision_damaged');
      expectError(await historian.get(`${id}/revisions/${third}/diff`), 'revision_damaged');
      expectError(await historian.post(`${id}/rollback/${second}`), 'revision_damaged');
      expectError(await historian.post(`${id}/rollback/${second}?dry_run=true`), 'revision_damaged');
      expect((await historian.get(id)).body.data).toMatchObject({ title: 'Three', body: BODY, version: 3 });
    });
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
    await forgeKeyframe(id);

    const { code, out } = await doctor('doctor --deep');

    expect(code).toBe(1);
    for (const ts of times) expect(out).toContain(`post/${id}/revisions/${ts}: `);
    await query('DELETE FROM revisions', []);
    await aRecord();
    expect((await doctor('doctor --deep')).out).toMatch(/^ok +histories +3 revisions are whole$/m);
    expect((await doctor('doctor')).out).not.toContain('histories');
  });

  it('is written with a checksum by every way of writing', async () => {
    const { id, times } = await aRecord();
    await historian.update(id, { status: 'published' });
    await historian.post(`${id}/rollback/${times[0] ?? 0}`).expect(200);
    await service.http().delete(`/api/cms/post/${id}`).expect(204);
    await historian.post(`${id}/restore`).expect(200);

    const rows = await query<{ n: number }[]>(
      'SELECT COUNT(*) AS n FROM revisions WHERE record_id = ? AND checksum IS NULL',
      [id],
    );

    expect(Number(rows[0]?.n)).toBe(0);
  });
});
