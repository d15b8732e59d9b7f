import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { ContentTypesService } from '../../src/content-types/store/content-types.service.js';
import { runner, type Ran } from '../support/cli-runner.js';
import { FIXTURES, folderOf } from '../support/import-files.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let cli: (line: readonly string[]) => Promise<Ran>;

beforeAll(async () => {
  test = await startTestApp();
  cli = runner({ DATABASE_URL: test.database.url });
});

afterAll(() => test.close());

async function imported(path: string, ...options: string[]) {
  const { code, out, error } = await cli(['import', path, ...options, '--json']);
  // Otherwise the service notices what another process has changed within a second.
  test.app.get(ContentTypesService).refresh();
  return { code, error, report: out === '' ? null : JSON.parse(out) };
}

async function bySlug(type: string, slug: string) {
  return (await test.http().get(`/api/cms/${type}/slug:${encodeURIComponent(slug)}`)).body.data;
}

async function total(type: string): Promise<number> {
  return (await test.http().get(`/api/cms/${type}`)).body.meta.total;
}

async function historyOf(type: string, id: number) {
  return (await test.http().get(`/api/cms/${type}/${id}/revisions`)).body.data;
}

describe('npm run cli -- import of a folder of Markdown files', () => {
  const posts = join(FIXTURES, 'posts');

  it('with --dry-run says what would be done, and does nothing', async () => {
    const { report, code } = await imported(posts, '--dry-run');

    expect(report).toMatchObject({
      dry_run: true,
      counts: { created: 4, updated: 0, unchanged: 0, refused: 1 },
      terms: { author: 2, category: 1, tag: 3 },
      changes: expect.arrayContaining(['The type post gets the field excerpt.', 'The taxonomy author is declared.']),
    });
    expect(code).toBe(1);
    expect(await total('post')).toBe(0);
  });

  it('writes every sound item, and reports every problem of the others with its line', async () => {
    const { report, code } = await imported(posts);

    expect(code).toBe(1);
    expect(report.counts).toEqual({ created: 4, updated: 0, unchanged: 0, refused: 1 });
    expect(report.problems).toEqual([
      { file: 'notes/broken.md', line: 4, message: 'slug must be a text.' },
      { file: 'notes/broken.md', line: 3, message: expect.stringContaining('date is no moment') },
    ]);
    expect(report.not_taken).toEqual(
      expect.arrayContaining([
        { what: 'values of "image"', reason: expect.any(String), count: 1, first: '2014-03-12-first-light.md:7' },
        { what: '.jpg files', reason: expect.any(String), count: 1, first: 'notes/picture.jpg' },
      ]),
    );
    expect(await total('post')).toBe(4);
  });

  it('gives records their times, excerpts, terms and a history that begins with the import', async () => {
    const post = await bySlug('post', 'first-light');

    expect(post).toMatchObject({
      status: 'published',
      published_at: '2014-03-12T14:11:00.000Z',
      created_at: '2014-03-12T14:11:00.000Z',
      excerpt: 'A night at the dome.',
      body: 'The dome is open.\n\n---\n\nAfter the line.',
      version: 1,
    });
    const names = (taxonomy: string) => post.terms[taxonomy].map(({ name }: { name: string }) => name);
    expect([names('author'), names('tag'), names('category')]).toEqual([
      ['Mira Halvorsen', 'Tomas Okafor'],
      ['how we work', 'optics'],
      ['News'],
    ]);
    expect(await historyOf('post', post.id)).toEqual([expect.objectContaining({ action: 'import', version: 1 })]);
  });

  it('finds imported records by their terms, and counts them', async () => {
    const { body } = await test.http().get('/api/cms/post?filter[tag]=optics');

    expect(body.data.map(({ slug }: { slug: string }) => slug).sort()).toEqual(['first-light', 'quoted']);
    expect(body.meta.total).toBe(2);
  });

  it('writes nothing the second time', async () => {
    const before = await bySlug('post', 'first-light');

    const { report } = await imported(posts);

    expect(report.counts).toEqual({ created: 0, updated: 0, unchanged: 4, refused: 1 });
    expect(report.changes).toEqual([]);
    expect(await bySlug('post', 'first-light')).toEqual(before);
  });
});

describe('a second import', () => {
  it('takes what has changed in the file, and leaves what an editor has changed here', async () => {
    const { path, remove } = folderOf({ 'one.md': page('One', 'First'), 'two.md': page('Two', 'First') });
    await imported(path, '--source', 'again');
    const [one, two] = [await bySlug('post', 'one'), await bySlug('post', 'two')];
    await test.http().put(`/api/cms/post/${two.id}`).send({ body: 'By an editor' });
    writeFileSync(join(path, 'one.md'), page('One', 'Second'));

    const { report } = await imported(path, '--source', 'again');

    remove();
    expect(report.counts).toEqual({ created: 0, updated: 1, unchanged: 1, refused: 0 });
    expect(await bySlug('post', 'one')).toMatchObject({ id: one.id, body: 'Second', version: 2 });
    expect(await bySlug('post', 'two')).toMatchObject({ body: 'By an editor' });
  });

  it('leaves deleted what was deleted here, and says so', async () => {
    const { path, remove } = folderOf({ 'gone.md': page('Gone', 'First') });
    await imported(path, '--source', 'gone');
    await test.http().delete(`/api/cms/post/${(await bySlug('post', 'gone')).id}`);
    writeFileSync(join(path, 'gone.md'), page('Gone', 'Second'));

    const { report } = await imported(path, '--source', 'gone');

    remove();
    expect(report.counts).toEqual({ created: 0, updated: 0, unchanged: 1, refused: 0 });
    expect(report.not_taken).toEqual([expect.objectContaining({ what: 'changes of deleted records', count: 1 })]);
    expect(await bySlug('post', 'gone')).toBeUndefined();
  });
});

describe('slugs of imported items', () => {
  it('get a number where they are taken, and the report says so', async () => {
    const { path, remove } = folderOf({ 'a/same.md': page('A', 'A'), 'b/same.md': page('B', 'B') });

    const { report } = await imported(path, '--source', 'slugs');

    remove();
    expect(report.counts.created).toBe(2);
    expect(report.notes).toEqual([
      { file: 'b/same.md', line: 1, message: 'The slug "same" is taken, so it becomes "same-2".' },
    ]);
    expect(await bySlug('post', 'same-2')).toMatchObject({ title: 'B' });
  });
});

describe('npm run cli -- import of an export of WordPress', () => {
  it('writes posts and pages with their terms, and reports the rest', async () => {
    const { report, code } = await imported(join(FIXTURES, 'site.xml'));

    expect(code).toBe(0);
    expect(report.types).toEqual({
      post: { created: 3, updated: 0, unchanged: 0, refused: 0 },
      page: { created: 1, updated: 0, unchanged: 0, refused: 0 },
    });
    expect(report.not_taken).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ what: 'items of the type "product"', count: 1 }),
        expect.objectContaining({ what: 'comments', count: 2 }),
        expect.objectContaining({ what: 'values of "sticky"', count: 1 }),
      ]),
    );
    expect(await bySlug('post', 'αβ')).toMatchObject({
      title: 'Seven evenings',
      published_at: '2013-05-07T19:55:41.000Z',
      terms: {
        category: [{ slug: 'moon' }],
        tag: [{ slug: 'optics' }],
        author: [{ slug: 'mira', name: 'Mira Halvorsen' }],
      },
    });
    expect(await bySlug('post', 'for-members')).toMatchObject({ status: 'draft', published_at: null });
  });

  it('keeps the tree of categories', async () => {
    const { body } = await test.http().get('/api/cms/taxonomy/category');

    expect(body.data).toContainEqual(expect.objectContaining({ slug: 'moon', path: 'sky/moon', depth: 2 }));
  });
});

describe('npm run cli -- import of a table', () => {
  it('reads numbers and terms as the type has them', async () => {
    const type = (await test.http().get('/api/cms/types/post')).body.data;
    const fields = [...type.fields, { name: 'rating', type: 'integer', max: 5 }];
    await test.http().put('/api/admin/types/post').send({ fields });

    const { report, code } = await imported(join(FIXTURES, 'table.csv'));

    expect(code).toBe(1);
    expect(report.counts).toEqual({ created: 2, updated: 0, unchanged: 0, refused: 2 });
    expect(report.problems.map(({ line }: { line: number }) => line)).toEqual([5, 6]);
    expect(await bySlug('post', 'first')).toMatchObject({ title: 'First, of all', rating: 5 });
  });

  it('refuses a row that breaks the rules of its type', async () => {
    const { path, remove } = folderOf({ 'bad.csv': 'title,status,rating\nA,unknown,9\n,draft,\nC,draft,x\n' });

    const { report } = await imported(join(path, 'bad.csv'));

    remove();
    expect(report.problems).toEqual([
      { file: 'bad.csv', line: 2, message: expect.stringContaining('status must be one of') },
      { file: 'bad.csv', line: 2, message: 'rating must be 5 or less.' },
      { file: 'bad.csv', line: 3, message: 'title must not be blank.' },
      { file: 'bad.csv', line: 4, message: 'rating must be a whole number.' },
    ]);
    expect(report.counts).toMatchObject({ created: 0, refused: 3 });
  });

  it('has columns of any name, and counts those that no field has', async () => {
    const { path, remove } = folderOf({ 'words.csv': 'title,constructor,__proto__\nWords,1,2\n' });

    const { report, code } = await imported(join(path, 'words.csv'));

    remove();
    expect(code).toBe(0);
    expect(report.changes).toEqual([]);
    expect(report.not_taken.map(({ what }: { what: string }) => what)).toEqual([
      'values of "constructor"',
      'values of "__proto__"',
    ]);
  });

  it('takes a source of 191 characters', async () => {
    const { path, remove } = folderOf({ 'long.csv': 'title\nLong\n' });

    const { report } = await imported(join(path, 'long.csv'), '--source', 's'.repeat(191));

    remove();
    expect(report.counts).toMatchObject({ created: 1, refused: 0 });
  });

  it('refuses the same key twice', async () => {
    const { path, remove } = folderOf({ 'twice.csv': 'id,title\n1,A\n1,B\n' });

    const { report } = await imported(join(path, 'twice.csv'));

    remove();
    expect(report.problems).toEqual([
      { file: 'twice.csv', line: 3, message: 'Another item of this import has the same key ("id:1").' },
    ]);
  });
});

describe('a wrong call of import', () => {
  it.each([
    [['nowhere.md'], 'There is no file or folder nowhere.md.'],
    [
      [FIXTURES, '--format', 'pdf'],
      "option '--format <format>' argument 'pdf' is invalid. Allowed choices are markdown, wxr, csv, ndjson.",
    ],
    [
      [FIXTURES, '--status', 'public'],
      "option '--status <status>' argument 'public' is invalid. Allowed choices are draft, published, archived.",
    ],
    [[__filename], 'Name it with --format'],
    [[FIXTURES, '--source', 's'.repeat(192)], 'The name of the source has 1 to 191 characters.'],
    [[FIXTURES, '--source', ' '], 'The name of the source has 1 to 191 characters.'],
  ])('%j', async (words, sentence) => {
    const { code, error } = await cli(['import', ...words]);

    expect(code).toBe(2);
    expect(error).toContain(sentence);
  });
});

describe('an import that cannot begin', () => {
  it.each([
    [['--type', 'nothing'], 'There is no content type "nothing".'],
    [['--format', 'csv'], 'The file is a folder.'],
    [['--format', 'wxr'], 'The file is a folder.'],
    [['--format', 'ndjson'], 'The file is a folder.'],
  ])('%j says why', async (options, sentence) => {
    const { code, out, error } = await cli(['import', join(FIXTURES, 'posts'), ...options]);

    expect(code).toBe(1);
    expect(`${out}${error}`).toContain(sentence);
  });
});

function page(title: string, body: string): string {
  return `---\ntitle: ${title}\n---\n\n${body}\n`;
}

describe('npm run cli -- import of terms with odd names', () => {
  const direction = String.fromCodePoint(0x202e);

  it('mends slugs of terms as those of records, and leaves out a term that cannot be made, not its post', async () => {
    const item = `<item><title>Odd terms</title><wp:post_id>1</wp:post_id><wp:post_type>post</wp:post_type>
      <wp:status>publish</wp:status><category domain="category" nicename="mo${direction}on">Moonlight</category>
      <category domain="post_tag" nicename="fine">Fine</category>
      <category domain="post_tag" nicename="bad">${'x'.repeat(400)}</category></item>`;
    const { path, remove } = folderOf({ 'odd.xml': `<rss><channel>${item}</channel></rss>` });

    const { report, code } = await imported(join(path, 'odd.xml'));

    remove();
    expect(report.problems).toEqual([]);
    expect(report.counts).toMatchObject({ created: 1, refused: 0 });
    expect(report.notes).toEqual([
      { file: 'odd.xml', line: 1, message: expect.stringMatching(/^The tag "x+…" is left out: /) },
    ]);
    expect(code).toBe(0);
    const record = await bySlug('post', 'odd-terms');
    expect(record.terms.category).toEqual([expect.objectContaining({ slug: 'mo-on', name: 'Moonlight' })]);
    expect(record.terms.tag).toEqual([expect.objectContaining({ slug: 'fine' })]);
  });

  it('makes a term of its own where another name has the slug, and finds it the second time', async () => {
    const cats = ['C', 'C++'].map((name) => `<category domain="post_tag" nicename="c">${name}</category>`);
    const items = cats.map((cat, at) => `<item><title>About ${at}</title><wp:post_id>9${at}</wp:post_id>${cat}</item>`);
    const { path, remove } = folderOf({ 'c.xml': `<rss><channel>${items.join('')}</channel></rss>` });

    await imported(join(path, 'c.xml'));
    const { report } = await imported(join(path, 'c.xml'), '--source', 'again');

    remove();
    expect(report.terms).toEqual({});
    expect((await bySlug('post', 'about-1')).terms.tag).toMatchObject([{ slug: 'c-2', name: 'C++' }]);
    expect((await bySlug('post', 'about-1-2')).terms.tag).toMatchObject([{ slug: 'c-2', name: 'C++' }]);
  });
});
