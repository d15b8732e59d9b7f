import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runner, type Ran } from '../support/cli-runner.js';
import { Historian } from '../support/historian.js';
import { fillHistory } from '../support/record-history.js';
import { fillRichly } from '../support/rich-content.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase, createTestFile, type TestDatabase } from '../support/test-database.js';

const ADDRESSES = [
  '/api/cms/everything?per_page=100&sort=id&status=draft,published',
  '/api/cms/everything?sort=-num&per_page=100&status=draft,published',
  '/api/cms/everything?filter[whole]=9007199254740991&status=draft,published',
  '/api/cms/post?per_page=100&status=draft,published,archived&sort=id',
  '/api/cms/post?filter[tag]=night-sky&fields=id,title',
  '/api/cms/post/-/trash',
  '/api/cms/taxonomy/category?per_page=100',
  '/api/cms/taxonomy/tag?per_page=100',
  '/api/cms/search?q=comet&status=draft,published',
  '/api/admin/taxonomies',
  '/api/admin/types',
  '/api/users',
  '/sitemap.xml',
];

interface Report {
  readonly counts: Readonly<Record<'created' | 'updated' | 'unchanged' | 'refused', number>>;
  readonly problems: readonly { readonly line: number; readonly message: string }[];
  readonly notes: readonly { readonly message: string }[];
}

describe('A lossless export', () => {
  let source: TestApp;
  let folder: string;
  let written: number;
  let post: number;
  const databases: TestDatabase[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cms-lossless-'));
    source = await startTestApp();
    await fillRichly(source);
    post = await fillHistory(source);
    expect((await exported(source.database, 'first')).code).toBe(0);
    written = linesOf('first').filter(({ kind }) => kind === 'record').length;
  });

  afterAll(async () => {
    await source.close();
    for (const database of databases) await database.drop();
    rmSync(folder, { recursive: true });
  });

  const path = (name: string): string => join(folder, `${name}.ndjson`);
  const cli = ({ url }: Pick<TestDatabase, 'url'>) => runner({ DATABASE_URL: url });

  function linesOf(name: string): { kind: string; data: Record<string, unknown> }[] {
    return readFileSync(path(name), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; data: Record<string, unknown> });
  }

  function exported(database: TestDatabase, name: string, ...words: string[]): Promise<Ran> {
    return cli(database)(['export', '--out', path(name), ...words]);
  }

  async function imported(database: TestDatabase, name: string, ...words: string[]): Promise<Report> {
    const { out, error } = await cli(database)(['import', path(name), '--with-accounts', '--json', ...words]);
    expect(error).toBe('');
    return JSON.parse(out) as Report;
  }

  async function empty(create: () => TestDatabase | Promise<TestDatabase> = createTestDatabase): Promise<TestDatabase> {
    const database = await create();
    databases.push(database);
    return database;
  }

  /** A file whose lines are changed. */
  function changed(name: string, change: (lines: string[]) => string[]): void {
    const lines = readFileSync(path('first'), 'utf8').trimEnd().split('\n');
    writeFileSync(path(name), `${change(lines).join('\n')}\n`);
  }

  function withoutHeader(name: string): string {
    return readFileSync(path(name), 'utf8').replace(/^.*\n/, '');
  }

  async function answersOf(service: TestApp): Promise<unknown[]> {
    const answers: unknown[] = [];
    for (const address of ADDRESSES) {
      const answer = await (address.startsWith('/api') ? service.http() : service.anonymous()).get(address);
      expect([address, answer.status]).toEqual([address, 200]);
      // How well something is found depends on what else was ever in the index.
      const text = answer.text.replace(/"(score|took_ms)":[\d.]+/g, '"$1":0');
      answers.push(address.startsWith('/api') ? (JSON.parse(text) as unknown) : text);
    }
    const historian = new Historian(service);
    const history = await historian.history(post);
    answers.push(history);
    for (const { ts } of history) {
      answers.push((await historian.get(`${post}/revisions/${ts}`).expect(200)).body);
      answers.push((await historian.get(`${post}/revisions/${ts}/diff`).expect(200)).body);
    }
    return answers;
  }

  it('carries everything into an empty database, which writes the same file again', async () => {
    const before = await answersOf(source);

    for (const [at, create] of [createTestDatabase, createTestFile].entries()) {
      const target = await empty(create);
      const report = await imported(target, 'first');
      await exported(target, `copy-${at}`);

      expect([report.problems, report.notes]).toEqual([[], []]);
      expect(report.counts).toEqual({ created: written, updated: 0, unchanged: 0, refused: 0 });
      expect(withoutHeader(`copy-${at}`)).toBe(withoutHeader('first'));
      const copy = await startTestApp({ DATABASE_URL: target.url });
      expect(await answersOf(copy)).toEqual(before);
      await copy.close();
    }
  });

  it('leaves histories that can be gone back in, and ids that are given to no other', async () => {
    const target = await empty();
    await imported(target, 'first');
    const copy = await startTestApp({ DATABASE_URL: target.url });
    const historian = new Historian(copy);
    const [first = 0] = await historian.times(post);

    const answer = await historian.post(`${post}/rollback/${first}`, {});
    const made = await historian.create({ title: 'New' });

    const greatest = Math.max(
      ...linesOf('first').flatMap(({ kind, data }) => (kind === 'record' ? [data.id as number] : [])),
    );
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ title: 'A comet', body: 'first words' });
    expect(answer.body.data.terms.tag.map(({ slug }: { slug: string }) => slug)).toEqual(['night-sky']);
    expect(made).toBeGreaterThan(greatest);
    await copy.close();
  });

  it('holds accounts without anything secret, in a file for its owner', () => {
    const users = linesOf('first').filter(({ kind }) => kind === 'user');

    expect(users.map(({ data }) => Object.keys(data))).toEqual([
      ['id', 'email', 'name', 'role', 'disabled_at', 'created_at', 'updated_at'],
    ]);
    expect(readFileSync(path('first'), 'utf8')).not.toMatch(/argon2|password/);
    expect(statSync(path('first')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.includes('.partial'))).toEqual([]);
  });

  it('is written to standard output, with the report elsewhere', async () => {
    const { code, out, error } = await cli(source.database)('export --out -');

    expect(code).toBe(0);
    expect(out.split('\n').filter((line) => line !== '')).toHaveLength(linesOf('first').length);
    expect(error).toContain(`Written: ${written} records`);
  });

  it('can be of one type, with all that this one needs', async () => {
    const { code } = await exported(source.database, 'one-type', '--type', 'everything');

    const lines = linesOf('one-type');
    const names = (kind: string, key: string) => lines.flatMap((line) => (line.kind === kind ? [line.data[key]] : []));
    expect(code).toBe(0);
    expect(names('type', 'name')).toEqual(['everything', 'post']);
    expect(new Set(names('record', 'type'))).toEqual(new Set(['everything']));
    expect((await exported(source.database, 'none', '--type', 'nothing')).code).toBe(1);
    expect(readdirSync(folder)).not.toContain('none.ndjson');
  });

  it('changes nothing when it is imported again, or where it comes from', async () => {
    const target = await empty();
    await imported(target, 'first');

    for (const database of [target, source.database]) {
      const { counts, problems } = await imported(database, 'first');
      expect([counts, problems]).toEqual([{ created: 0, updated: 0, unchanged: written, refused: 0 }, []]);
    }
    await exported(target, 'again');
    expect(withoutHeader('again')).toBe(withoutHeader('first'));
  });

  it('says in a dry run what would be done, and does nothing', async () => {
    const target = await empty();

    const { counts, problems } = await imported(target, 'first', '--dry-run');

    expect([counts, problems]).toEqual([{ created: written, updated: 0, unchanged: 0, refused: 0 }, []]);
    await exported(target, 'dry');
    expect(linesOf('dry').filter(({ kind }) => ['record', 'user', 'term'].includes(kind))).toEqual([]);
  });

  it('brings a copy up to date, and leaves what has been changed there since', async () => {
    const target = await empty();
    await imported(target, 'first');
    const copy = await startTestApp({ DATABASE_URL: target.url });
    const [here, there] = [new Historian(copy), new Historian(source)];
    const titles = ['changed there', 'changed in both', 'deleted there'];
    const ids: number[] = [];
    for (const title of titles) ids.push(await there.create({ title, status: 'published' }));
    await exported(source.database, 'second');
    await imported(target, 'second');
    const [updatedId = 0, bothId = 0, goneId = 0] = ids;
    await there.update(updatedId, { body: 'newer' });
    await there.update(bothId, { body: 'newer there' });
    await here.update(bothId, { body: 'newer here' });
    await source.http().delete(`/api/cms/post/${goneId}`).expect(204);
    await here.update(post, { title: 'Changed here' });
    await exported(source.database, 'third');

    const { counts, problems, notes } = await imported(target, 'third');

    expect(counts).toMatchObject({ created: 0, updated: 2, refused: 1 });
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('diverged')]);
    expect(notes.map(({ message }) => message)).toEqual([expect.stringContaining('changed here since')]);
    expect((await here.get(updatedId).expect(200)).body.data.body).toBe('newer');
    expect((await here.get(bothId).expect(200)).body.data.body).toBe('newer here');
    expect((await here.get(goneId)).status).toBe(404);
    expect((await here.get(post).expect(200)).body.data.title).toBe('Changed here');
    await copy.close();
  });

  it('refuses what belongs to another record, line by line, and takes the rest', async () => {
    const other = await startTestApp();
    const mine = await new Historian(other).create({ title: 'Mine', slug: 'mine' });
    await other.http().post('/api/cms/taxonomy').send({ type: 'tag', name: 'Mine' }).expect(201);

    const { counts, problems } = await imported(other.database, 'first');

    expect(counts).toEqual({ created: written - 1, updated: 0, unchanged: 0, refused: 1 });
    const at = linesOf('first').findIndex(({ kind, data }) => kind === 'record' && data.id === mine);
    expect(problems).toEqual([
      { file: 'first.ndjson', line: at + 1, message: `id_taken: another record has the id ${mine} here.` },
    ]);
    expect((await new Historian(other).get(mine).expect(200)).body.data.title).toBe('Mine');
    const tagged = await other.http().get('/api/cms/post?filter[tag]=night-sky&status=draft,published');
    expect(tagged.body.meta.total).toBe(1);
    await other.close();
  });

  it.each([
    ['no header', (lines: string[]) => lines.slice(1), 1, 'does not begin with the header', 0],
    [
      'an export of the API',
      (lines: string[]) => [lines[0]?.replace('"lossless":true,', '') ?? '', ...lines.slice(1)],
      1,
      'does not begin with the header',
      0,
    ],
    [
      'a newer version',
      (lines: string[]) => [lines[0]?.replace('"version":1', '"version":2') ?? '', ...lines.slice(1)],
      1,
      'newer version',
      0,
    ],
  ])('refuses a file with %s', async (_, change, line, sentence, created) => {
    changed('bad', change);

    const { counts, problems } = await imported(await empty(createTestFile), 'bad');

    expect(problems).toEqual([{ file: 'bad.ndjson', line, message: expect.stringContaining(sentence) }]);
    expect(counts).toMatchObject({ created, refused: 1 });
  });

  /** Changes the first line of a kind that a pattern finds. */
  const first =
    (pattern: RegExp, change: (line: string) => string) =>
    (lines: string[]): string[] => {
      const at = lines.findIndex((line) => pattern.test(line));
      expect(at).toBeGreaterThan(0);
      return lines.map((line, index) => (index === at ? change(line) : line));
    };
  const A_RECORD = /"kind":"record".*"title":"A comet again"/;
  const A_REVISION = /"kind":"revision".*"action":"update".*"title":"A comet again"/;

  it.each([
    ['no JSON', first(A_RECORD, (line) => line.slice(0, 50)), ['The line is no JSON']],
    ['an unknown kind', first(A_RECORD, (line) => line.replace('record', 'recipe')), ['unknown kind: recipe']],
    [
      'an unknown type',
      first(A_RECORD, (line) => line.replace('"type":"post"', '"type":"poem"')),
      ['no content type "poem"'],
    ],
    ['a bad value', first(A_RECORD, (line) => line.replace('"values":{', '"values":{"size":3')), ['no field "size"']],
    [
      'a bad status',
      first(A_RECORD, (line) => line.replace('"status":"published"', '"status":"secret"')),
      ['status must be one of'],
    ],
    [
      'a snapshot of another shape',
      first(A_REVISION, (line) => line.replace('"snapshot":{"title"', '"snapshot":{"titel"')),
      ['titel is not a field', 'title is required', '3 revisions of the record 2 can be read'],
    ],
    ['a revision less', first(A_REVISION, () => ''), ['3 revisions of the record 2 can be read']],
  ])('imports nothing of a record with %s, and everything else', async (_, change, sentences) => {
    changed('broken', change);

    const { counts, problems } = await imported(await empty(createTestFile), 'broken');

    expect(problems.map(({ message }) => message)).toHaveLength(sentences.length);
    for (const sentence of sentences) {
      expect(problems.map(({ message }) => message)).toContainEqual(expect.stringContaining(sentence));
    }
    expect(counts.created).toBe(written - 1);
  });

  it('reports a file that is cut off', async () => {
    const text = readFileSync(path('first'), 'utf8');
    writeFileSync(path('cut'), text.slice(0, text.lastIndexOf('"kind":"revision"') + 60));

    const { counts, problems } = await imported(await empty(createTestFile), 'cut');

    expect(counts.created).toBeGreaterThan(10);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('cut off'),
      expect.stringMatching(/Of the \d revisions/),
      expect.stringContaining('without its last line'),
    ]);
  });

  it.each([
    ['--type', 'post'],
    ['--status', 'draft'],
    ['--source', 'x'],
  ])('takes no %s', async (option, value) => {
    const { code, error } = await cli(source.database)(['import', path('first'), option, value]);

    expect([code, error]).toEqual([2, expect.stringContaining('do not go with ndjson')]);
  });
});
