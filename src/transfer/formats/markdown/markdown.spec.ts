import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { entriesOf, FIXTURES, folderOf, items, problems, readOne } from '../../../../test/support/import-files.js';
import { readMarkdown } from './markdown.js';

async function one(content: string | Buffer, name = 'a.md') {
  const entries = await readOne(readMarkdown, name, content);
  return { entries, item: items(entries)[0], problems: problems(entries) };
}

describe('a folder of Markdown files', () => {
  it('becomes one item a file, in one order, and counts what is no Markdown', async () => {
    const entries = await entriesOf(readMarkdown, join(FIXTURES, 'posts'));

    expect(items(entries).map(({ key, slug, status }) => [key, slug, status])).toEqual([
      ['2014-03-12-first-light.md', 'first-light', 'published'],
      ['2015-01-05-quoted.md', 'quoted', 'published'],
      ['notes/broken.md', 'broken', 'published'],
      ['notes/plain.md', 'plain', 'draft'],
      ['notes/windows.md', 'windows', 'draft'],
    ]);
    expect(entries.filter(({ kind }) => kind === 'leftover')).toEqual([
      expect.objectContaining({ what: 'settings "layout"', file: '2014-03-12-first-light.md', line: 3 }),
      expect.objectContaining({ what: '.jpg files', file: 'notes/picture.jpg' }),
    ]);
  });

  it('does not follow links, and passes over hidden files', async () => {
    const { path, remove } = folderOf({ 'a.md': '---\ntitle: A\n---\n', '.git/b.md': 'x' });
    symlinkSync(path, join(path, 'loop'));

    const entries = await entriesOf(readMarkdown, path);

    remove();
    expect(entries.map((entry) => (entry.kind === 'leftover' ? entry.what : entry.file))).toEqual([
      'hidden files',
      'a.md',
      'symbolic links',
    ]);
  });
});

describe('a Markdown file', () => {
  it('keeps an author that is a record for the field of that name', async () => {
    const { item, problems: found } = await one('---\ntitle: A\nauthor:\n  id: 4\n  type: person\ntags: [x]\n---\n');

    expect(found).toEqual([]);
    expect(item).toMatchObject({
      values: { author: { value: { id: 4, type: 'person' }, line: 3 } },
      terms: { tag: [{ name: 'x' }] },
    });
    expect(item?.terms).not.toHaveProperty('author');
  });

  it('takes a leading "and" for none of the name, and says that one text became several authors', async () => {
    const { item } = await one('---\ntitle: A\nauthor: "Ann, Bo, and Cy"\ntags: salt, and pepper\n---\n');

    expect(item?.terms.author?.map(({ name }) => name)).toEqual(['Ann', 'Bo', 'Cy']);
    expect(item?.notes.map(({ message }) => message)).toEqual([
      '"Ann, Bo, and Cy" becomes 3 authors: Ann; Bo; Cy. A list keeps a name with a comma together.',
    ]);
  });

  it('keeps the lines and the spaces of a title, as an export writes them', async () => {
    const { item } = await one('---\ntitle: |-\n  Two  lines\n  of it\n---\n');

    expect(item).toMatchObject({ title: 'Two  lines\nof it' });
  });

  it('gives title, moment, excerpt, terms and what else it says', async () => {
    const [item] = items(await entriesOf(readMarkdown, join(FIXTURES, 'posts', '2014-03-12-first-light.md')));

    expect(item).toMatchObject({
      title: 'First light',
      createdAt: Date.parse('2014-03-12T14:11:00Z'),
      body: 'The dome is open.\n\n---\n\nAfter the line.',
      values: { excerpt: { value: 'A night at the dome.' }, image: { value: '/img/dome.png', line: 7 } },
      terms: {
        author: [{ name: 'Mira Halvorsen' }, { name: 'Tomas Okafor' }],
        tag: [{ name: 'how we work' }, { name: 'optics' }],
        category: [{ name: 'News' }],
      },
      problems: [],
    });
    expect(item?.values).not.toHaveProperty('description');
  });

  it('takes the moment from the name of the file where no setting has it', async () => {
    const { item } = await one('---\ntitle: A\n---\n', '2024-12-5-a-b.md');

    expect(item).toMatchObject({ createdAt: Date.UTC(2024, 11, 5), slug: 'a-b' });
  });

  it('understands quoted values that go on at the start of the next line', async () => {
    const [item] = items(await entriesOf(readMarkdown, join(FIXTURES, 'posts', '2015-01-05-quoted.md')));

    expect(item?.values.excerpt).toMatchObject({
      value: 'It goes on on the next line.\nAnd after an empty one: with a colon.',
    });
    expect(item?.terms.tag).toEqual([
      { name: 'optics', slug: null },
      { name: 'night sky', slug: null },
    ]);
  });

  it('has line ends of one kind', async () => {
    const [item] = items(await entriesOf(readMarkdown, join(FIXTURES, 'posts', 'notes', 'windows.md')));

    expect(item?.body).toBe('One\nTwo');
  });

  it.each(['  a \n', '\n\na\n\n', 'a\r\nb\rc', '---\n', ' '])('has the body that an export wrote: %j', async (body) => {
    const { item } = await one(`---\ntitle: A\n---\n\n${body}\n`);

    expect(item?.body).toBe(body);
  });

  it.each(['pubDate: Jul 08 2022', 'publishDate: 2022-07-08', 'date: "8 July 2022"'])(
    'has the moment of %s',
    async (setting) => {
      const { item } = await one(`---\ntitle: A\n${setting}\n---\n`);

      expect(item).toMatchObject({ createdAt: Date.UTC(2022, 6, 8), status: 'published', values: {} });
    },
  );

  it('may begin with empty lines', async () => {
    const { item, problems: found } = await one('\n \n---\ntitle: A\npubDate: 2022-02-30\n---\nText\n');

    expect(item).toMatchObject({ title: 'A', body: 'Text' });
    expect(found).toEqual(['a.md:5 pubDate is no moment such as 2024-02-29 or 2024-02-29T09:30:00Z.']);
  });

  it('keeps a description that says something else than the excerpt', async () => {
    const { item } = await one('---\ntitle: A\nexcerpt: One\ndescription: Two\n---\n');

    expect(item?.values).toMatchObject({ excerpt: { value: 'One' }, description: { value: 'Two' } });
  });

  it.each([
    ['draft: true', 'draft'],
    ['published: false', 'draft'],
    ['private: yes', 'draft'],
    ['password: enter', 'draft'],
    ['status: archived', 'archived'],
    ['published: true', 'published'],
  ])('with %s becomes %s', async (setting, status) => {
    const { item } = await one(`---\ntitle: A\n${setting}\n---\n`);

    expect(item?.status).toBe(status);
  });

  it('without front matter becomes a draft that is named after its heading, and says so', async () => {
    const { item } = await one('# Hello you #\n\nText', 'b.md');

    expect(item).toMatchObject({ title: 'Hello you', status: 'draft', slug: 'b' });
    expect(item?.notes.map(({ message }) => message)).toEqual([
      'There is no title, so it is made from its first heading.',
      'There is no front matter, so it becomes a draft.',
    ]);
  });

  it('named index is called after its folder', async () => {
    const { path, remove } = folderOf({ 'about-us/index.md': '---\ntitle: A\n---\n' });

    const [item] = items(await entriesOf(readMarkdown, path));

    remove();
    expect(item).toMatchObject({ slug: 'about-us', key: 'about-us/index.md' });
  });

  it('reports every problem with its line', async () => {
    const entries = await entriesOf(readMarkdown, join(FIXTURES, 'posts', 'notes', 'broken.md'));

    expect(problems(entries)).toEqual([
      'broken.md:4 slug must be a text.',
      'broken.md:3 date is no moment such as 2024-02-29 or 2024-02-29T09:30:00Z.',
    ]);
  });

  it.each([
    ['---\ntitle: A\n', 'a.md:1 The front matter that begins with --- has no second --- at its end.'],
    ['+++\ntitle = "A"\n', 'a.md:1 The front matter that begins with +++ has no second +++ at its end.'],
    ['{\n"title": "A"\n', 'a.md:1 The front matter that begins with { has no } at its end.'],
    ['{"title": A}\n', 'a.md:1 The front matter that begins with { is not valid JSON.'],
    ['---\n- a\n---\n', 'a.md:2 The front matter must be a map of names and values, such as "title: Hello".'],
    ['---\ntitle: A\ntitle: B\n---\n', 'a.md:3 The front matter is not valid YAML: Map keys must be unique.'],
    [
      '---\ntitle: A: b\n---\n',
      'a.md:2 The front matter is not valid YAML: a value that has ": " in it has to stand in quotes.',
    ],
    ['', 'a.md:0 The file is empty.'],
    [' \n\n', 'a.md:0 The file is empty.'],
    [Buffer.from('---\ntitle: caf\xe9\n---\n', 'latin1'), expect.stringMatching(/^a\.md:2 The file is neither UTF-8/)],
    [Buffer.from('ok\n\nA\0B'), expect.stringMatching(/^a\.md:3 The file has NUL/)],
  ])('is refused: %j', async (content, problem) => {
    const { problems: messages } = await one(content);

    expect(messages).toEqual([problem]);
  });

  it('is refused as a YAML bomb before it grows', async () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'.split('').map((name, index) => {
        const before = String.fromCharCode(97 + index);
        return `${name}: &${name} [${Array(9).fill(`*${before}`).join(',')}]`;
      }),
    ];

    const { problems: messages } = await one(`---\ntitle: A\n${bomb.join('\n')}\n---\n`);

    expect(messages).toEqual([expect.stringContaining('Excessive alias count')]);
  });

  it('is refused when it is nested beyond measure', async () => {
    const { problems: messages } = await one(`---\ntitle: A\nx: ${'['.repeat(20_000)}\n---\n`);

    expect(messages.length).toBeGreaterThan(0);
  });

  it('is read as UTF-16 when a mark says so', async () => {
    const text = Buffer.from('\ufeff---\ntitle: Příliš\n---\nžluťoučký\n', 'utf16le');

    const little = await one(text);
    const big = await one(Buffer.from(text).swap16());

    expect([little.item?.title, little.item?.body]).toEqual(['Příliš', 'žluťoučký']);
    expect([big.item?.title, big.item?.body]).toEqual(['Příliš', 'žluťoučký']);
  });

  it('with more than 8 MiB is refused unread', async () => {
    const { problems: messages } = await one(Buffer.alloc(8 * 1024 * 1024 + 1, 0x61));

    expect(messages).toEqual(['a.md:0 The file has more than 8 MiB, which no body can hold.']);
  });
});

describe('the first heading of a Markdown file without a title', () => {
  it.each([
    ['# Of C# and F#', 'Of C# and F#'],
    ['# Closed ##', 'Closed'],
    ['text\n\n#   Later  \n', 'Later'],
    ['#\n\ntext', 'a'],
    ['#tag', 'a'],
  ])('is its title: %j', async (content, title) => {
    expect((await one(content)).item?.title).toBe(title);
  });
});
