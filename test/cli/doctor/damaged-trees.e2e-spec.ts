import type { SqlValue } from '../../../src/database/statements/statement.js';
import { Writer } from '../../../src/database/statements/writer.js';
import { runner } from '../../support/cli-runner.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

describe('doctor and the trees of terms', () => {
  let service: TestApp;
  let run: ReturnType<typeof runner>;
  let [news, world, asia] = [0, 0, 0];

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    run = runner({ DATABASE_URL: service.database.url, API_TOKENS: '' });
    news = await term('News', null);
    world = await term('World', news);
    asia = await term('Asia', world);
  });
  afterAll(() => service.close());

  async function term(name: string, parent: number | null): Promise<number> {
    const body = { type: 'category', name, parent_id: parent };
    const made = await service.http().post('/api/cms/taxonomy').send(body).expect(201);
    return (made.body as { data: { id: number } }).data.id;
  }

  const query = <Rows>(sql: string, values: readonly SqlValue[] = []): Promise<Rows> =>
    service.app.get(Writer, { strict: false }).source.query<Rows>(sql, [...values]);
  const tree = () => query('SELECT id, taxonomy, parent_id, path, sort_key, depth FROM terms ORDER BY id');
  const treesIn = (out: string): string[] =>
    out.split('\n').flatMap((line) => /^((?:ok|fail|done) +)trees +(.*)$/.exec(line)?.[2] ?? []);

  it.each([
    ['a path', () => query("UPDATE terms SET path = 'elsewhere/world' WHERE id = ?", [world]), 1],
    ['a level', () => query('UPDATE terms SET depth = 7 WHERE id = ?', [asia]), 1],
    ['a sort key', () => query("UPDATE terms SET sort_key = 'x' WHERE id = ?", [news]), 1],
    ['all places', () => query("UPDATE terms SET path = 'x', sort_key = CONCAT('x', id), depth = 1"), 3],
  ] as const)('repairs %s from the parents', async (_, breaks, count) => {
    const before = await tree();
    await breaks();

    const found = await run('doctor');
    const repaired = await run('doctor --repair');

    expect(treesIn(found.out)).toEqual([
      expect.stringMatching(
        new RegExp(`^${count} terms have another path, sort key or level than their parents give them: `),
      ),
    ]);
    expect(found.code).toBe(1);
    expect(repaired.code).toBe(3);
    expect(treesIn(repaired.out)).toContain(`put ${count} terms where their parents put them`);
    expect(await tree()).toEqual(before);
  });

  it('moves what stands under a term whose parent was set by hand', async () => {
    await query('UPDATE terms SET parent_id = NULL WHERE id = ?', [world]);

    expect((await run('doctor --repair')).code).toBe(3);

    const { body } = await service.http().get(`/api/cms/taxonomy/category/${asia}`).expect(200);
    expect(body.data.path).toBe('world/asia');
    await query('UPDATE terms SET parent_id = ? WHERE id = ?', [news, world]);
    expect((await run('doctor --repair')).code).toBe(3);
  });

  it.each([
    ['a cycle', () => query('UPDATE terms SET parent_id = ? WHERE id = ?', [world, news]), 'stand under themselves', 2],
    [
      'a term that is its own parent',
      () => query('UPDATE terms SET parent_id = id WHERE id = ?', [news]),
      'stand under themselves',
      1,
    ],
    [
      'a parent that is gone',
      () => query('UPDATE terms SET parent_id = 987654 WHERE id = ?', [news]),
      'stand under one that is gone or of another taxonomy',
      1,
    ],
    [
      'a parent of another taxonomy',
      () => query("UPDATE terms SET taxonomy = 'tag' WHERE id = ?", [news]),
      'stand under one that is gone or of another taxonomy',
      1,
    ],
  ] as const)('names %s, and leaves it', async (_, breaks, says, count) => {
    await breaks();
    const broken = await tree();

    const { code, out } = await run('doctor --repair');

    expect(treesIn(out)).toEqual([expect.stringMatching(new RegExp(`^${count} terms ${says}: .*Set their parent_id`))]);
    expect(code).toBe(1);
    expect(await tree()).toEqual(broken);
    await query("UPDATE terms SET taxonomy = 'category', parent_id = NULL WHERE id = ?", [news]);
    expect(treesIn((await run('doctor')).out)).toEqual(['each term stands where its parents put it']);
  });
});
