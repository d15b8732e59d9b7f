import { expectError } from '../support/errors.js';
import { Historian, type RevisionDetails } from '../support/historian.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

const PUBLIC_HISTORIAN = 'test-public-historian-token-0123456789';
const API_TOKENS = `admin=${TOKENS.admin},public=${PUBLIC_HISTORIAN};revisions:read`;

describe('Revisions', () => {
  let service: TestApp;
  let historian: Historian;

  beforeAll(async () => {
    service = await startTestApp({ API_TOKENS, RATE_LIMITS: 'off' });
    historian = new Historian(service);
  });
  afterAll(() => service.close());

  describe('GET /api/cms/{type}/{id}/revisions/{ts}/diff', () => {
    it('compares with the one before, the newest one, or any other, and goes from the older to the newer', async () => {
      const id = await historian.create({ title: 'One', body: 'The quick brown fox.' });
      await historian.update(id, { body: 'The quick red fox.' });
      await historian.update(id, { title: 'Two', status: 'published' });
      const [third, second, first] = (await historian.history(id)).map(({ ts }) => ts);
      const diff = async (ts: number | undefined, against = '') => {
        const { body } = await historian
          .get(`${id}/revisions/${ts ?? 0}/diff${against && `?against=${against}`}`)
          .expect(200);
        const { from, to, changes } = body.data;
        return {
          from: from?.version ?? null,
          to: to.version,
          fields: changes.map(({ field }: { field: string }) => field),
        };
      };

      expect(await diff(second)).toEqual({ from: 1, to: 2, fields: ['body'] });
      expect(await diff(third, 'previous')).toEqual({ from: 2, to: 3, fields: ['title', 'status', 'published_at'] });
      expect(await diff(first, 'current')).toEqual({
        from: 1,
        to: 3,
        fields: ['title', 'body', 'status', 'published_at'],
      });
      expect(await diff(third, String(first))).toEqual(await diff(first, String(third)));
      expect(await diff(third, 'current')).toEqual({ from: 3, to: 3, fields: [] });
      expect(await diff(first)).toEqual({ from: null, to: 1, fields: ['title', 'slug', 'body', 'status', 'locale'] });
      expectError(await historian.get(`${id}/revisions/${first ?? 0}/diff?against=nothing`), 'revision_not_found');
      expectError(await historian.get(`${id}/revisions/${first ?? 0}/diff?with=1`), 'invalid_query');
    });

    it('shows texts word by word', async () => {
      const id = await historian.create({ title: 'One', body: 'The quick brown fox jumps.' });
      await historian.update(id, { body: 'The quick red fox jumps high.' });
      const [ts] = (await historian.history(id)).map((one) => one.ts);

      const { body } = await historian.get(`${id}/revisions/${ts ?? 0}/diff`).expect(200);

      expect(body.data.changes).toEqual([
        {
          field: 'body',
          kind: 'built_in',
          from: 'The quick brown fox jumps.',
          to: 'The quick red fox jumps high.',
          changes: [
            { op: 'equal', text: 'The quick ' },
            { op: 'delete', text: 'brown' },
            { op: 'insert', text: 'red' },
            { op: 'equal', text: ' fox jumps' },
            { op: 'insert', text: ' high' },
            { op: 'equal', text: '.' },
          ],
        },
      ]);
    });

    it('answers when two texts of half a million characters have nothing in common', async () => {
      const text = (seed: number) =>
        Array.from({ length: 60_000 }, (_, n) => ((n * seed) % 99_991).toString(36)).join(' ');
      const id = await historian.create({ title: 'Long', body: text(7_919) });
      await historian.update(id, { body: text(104_729) });
      const [ts] = (await historian.history(id)).map((one) => one.ts);

      const { body } = await historian.get(`${id}/revisions/${ts ?? 0}/diff`).expect(200);

      expect(body.data.changes).toHaveLength(1);
      expect(body.data.changes[0].to.length).toBeGreaterThan(200_000);
    });
  });

  describe('for those who may not see drafts', () => {
    it('has what was published, and nothing of the rest', async () => {
      const id = await historian.create({ title: 'Secret one' });
      await historian.update(id, { title: 'Secret two' });
      expectError(await historian.get(`${id}/revisions`, PUBLIC_HISTORIAN), 'record_not_found');
      await historian.update(id, { title: 'Public three', status: 'published' });
      await historian.update(id, { title: 'Secret four', status: 'draft' });
      await historian.update(id, { title: 'Public five', status: 'published' });
      const [five, four, three, two] = (await historian.history(id)).map(({ ts }) => ts);

      const list = await historian.get(`${id}/revisions`, PUBLIC_HISTORIAN).expect(200);
      const diff = await historian.get(`${id}/revisions/${five ?? 0}/diff`, PUBLIC_HISTORIAN).expect(200);
      const first = await historian.get(`${id}/revisions/${three ?? 0}/diff`, PUBLIC_HISTORIAN).expect(200);

      expect(list.body.data.map(({ ts }: RevisionDetails) => ts)).toEqual([five, three]);
      expect(list.body.meta.total).toBe(2);
      expect(diff.body.data.from.version).toBe(3);
      expect(first.body.data.from).toBeNull();
      for (const hidden of [four, two]) {
        expectError(await historian.get(`${id}/revisions/${hidden ?? 0}`, PUBLIC_HISTORIAN), 'revision_not_found');
        expectError(
          await historian.get(`${id}/revisions/${five ?? 0}/diff?against=${hidden ?? 0}`, PUBLIC_HISTORIAN),
          'revision_not_found',
        );
      }
      for (const answer of [list, diff, first]) expect(answer.text).not.toContain('Secret');
    });

    it('says what a write has changed only where the state before it is shown as well', async () => {
      const id = await historian.create({ title: 'One', body: 'Shown', status: 'published' });
      await historian.update(id, { title: 'Two' });
      await historian.update(id, { title: 'Secret', body: 'Hidden', status: 'draft' });
      await historian.update(id, { slug: 'changed-in-draft' });
      await historian.update(id, { title: 'Two', body: 'Shown', status: 'published' });
      const changed = (rows: readonly RevisionDetails[]) => rows.map((row) => row.changed);
      const [newest] = await historian.times(id).then((times) => times.reverse());

      const whole = await historian.get(`${id}/revisions?per_page=3`, PUBLIC_HISTORIAN).expect(200);
      const middle = await historian.get(`${id}/revisions?per_page=1&page=2`, PUBLIC_HISTORIAN).expect(200);
      const one = await historian.get(`${id}/revisions/${newest ?? 0}`, PUBLIC_HISTORIAN).expect(200);

      const first = ['title', 'slug', 'body', 'status', 'locale', 'published_at'];
      expect(changed(whole.body.data)).toEqual([undefined, ['title'], first]);
      expect(changed(middle.body.data)).toEqual([['title']]);
      expect(one.body.data).not.toHaveProperty('changed');
      expect(changed(await historian.history(id))[0]).toEqual(['title', 'body', 'status', 'published_at']);
    });
  });
});
