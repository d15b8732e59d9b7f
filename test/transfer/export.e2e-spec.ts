import { lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runner, type Ran } from '../support/cli-runner.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

const PATH = '/api/cms/post/-/export';

let test: TestApp;
let cli: (line: readonly string[]) => Promise<Ran>;
let folder: string;

beforeAll(async () => {
  test = await startTestApp();
  cli = runner({ DATABASE_URL: test.database.url });
  folder = mkdtempSync(join(tmpdir(), 'cms-export-'));
  const posts = [
    { title: 'One, "quoted"', status: 'published', body: 'First\nSecond', terms: { tag: ['optics', 'night sky'] } },
    { title: 'Two', status: 'draft', body: '---\nno front matter' },
    { title: 'Three', status: 'published' },
  ];
  for (const post of posts) expect((await test.http().post('/api/cms/post').send(post)).status).toBe(201);
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await test.close();
});

async function exported(query = '', token: string = TOKENS.admin) {
  const { status, headers, body } = await test.http(token).get(`${PATH}${query}`).responseType('blob');
  return { status, headers, text: (body as Buffer).toString() };
}

function linesOf(text: string): { kind: string; data: { title: string; name: string; id: number } }[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('GET /api/cms/{type}/-/export', () => {
  it('streams a header, the type and every record in the order of their ids', async () => {
    const { text, headers } = await exported();

    const [header, type, ...records] = linesOf(text);
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': 'attachment; filename="post.ndjson"',
    });
    expect(header).toMatchObject({ kind: 'header', format: 'cms-ndjson', version: 1 });
    expect(type).toMatchObject({ kind: 'type', data: { name: 'post' } });
    expect(records.map(({ data }) => data.title)).toEqual(['One, "quoted"', 'Two', 'Three']);
  });

  it('shows the same record as the API does', async () => {
    const [, , record] = linesOf((await exported()).text);

    expect(record?.data).toEqual((await test.http().get(`/api/cms/post/${record?.data.id}`)).body.data);
  });

  it('leaves out what the caller may not see, and what is in the trash', async () => {
    const created = (await test.http().post('/api/cms/post').send({ title: 'Gone', status: 'published' })).body.data;
    await test.http().delete(`/api/cms/post/${created.id}`);

    const titles = linesOf((await exported('', TOKENS.reader)).text)
      .filter(({ kind }) => kind === 'record')
      .map(({ data }) => data.title);

    expect(titles).toEqual(['One, "quoted"', 'Three']);
  });

  it('takes a status, and gives only the head of a file where nothing has it', async () => {
    expect(linesOf((await exported('?status=draft')).text)).toHaveLength(3);
    expect(linesOf((await exported('?status=archived')).text)).toHaveLength(2);
    expect(linesOf((await exported('?status=draft&status=archived')).text)).toHaveLength(3);
    expect(linesOf((await exported('?status=draft', TOKENS.reader)).text)).toHaveLength(2);
  });

  it('gives a table that the import reads', async () => {
    const { text } = await exported('?format=csv&status=published');

    const [head, first] = text.split(/\n(?=\d)/);
    expect(head).toBe('id,title,slug,status,locale,published_at,created_at,updated_at,category,tag,body');
    expect(first).toMatch(/^\d+,"One, ""quoted""",one-quoted,published,en,.*,,optics\|night sky,"First\nSecond"$/);
  });

  it('guards a table against spreadsheets, unless it is to be as it is', async () => {
    const { data } = (await test.http().post('/api/cms/page').send({ title: '=1+1', body: "'-x" })).body;
    const table = (query: string) => test.http().get(`/api/cms/page/-/export?format=csv${query}`);

    const guarded = (await table('')).text;
    const plain = (await table('&guard=false')).text;

    expect([guarded, (await table('&guard=true')).text]).toEqual([
      expect.stringContaining(`${data.id},'=1+1,`),
      guarded,
    ]);
    expect(guarded).toContain(",''-x\n");
    expect(plain).toContain(`${data.id},=1+1,`);
    expect(plain).toContain(",'-x\n");
  });

  it.each([
    '?format=pdf',
    '?guard=false',
    '?format=csv&guard=no',
    '?format=csv&guard=false&guard=false',
    '?status=secret',
    '?page=2',
    '?format=csv&format=csv',
  ])('refuses %s', async (query) => {
    const { status, text } = await exported(query);

    expect([status, JSON.parse(text).error]).toEqual([400, 'invalid_query']);
  });

  it('answers HEAD without reading a record', async () => {
    const { status, headers } = await test.http().head(PATH);

    expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
  });
});

describe('npm run cli -- export', () => {
  it('writes Markdown files that the import reads again', async () => {
    const { code } = await cli(['export', '--out', folder, '--format', 'markdown', '--type', 'post']);

    const { out } = await cli(['import', join(folder, 'post'), '--dry-run', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out).counts).toMatchObject({ created: 3, refused: 0 });
    expect(readFileSync(join(folder, 'post', 'two.md'), 'utf8')).toContain('---\n\n---\nno front matter\n');
  });

  it('gives a table whose values the import reads as they were', async () => {
    const fields = [
      { name: 'flag', type: 'boolean', required: true },
      { name: 'facts', type: 'json' },
      { name: 'words', type: 'list', of: 'string' },
    ];
    const type = { name: 'thing', label: 'Thing', label_plural: 'Things', fields };
    expect((await test.http().post('/api/admin/types').send(type)).body).toMatchObject({ data: { name: 'thing' } });
    const thing = { title: 'A', flag: false, facts: [1, '2|3', null], words: ['a|b', 'c\\'] };
    expect((await test.http().post('/api/cms/thing').send(thing)).status).toBe(201);

    await cli(['export', '--out', join(folder, 'things.csv'), '--format', 'csv', '--type', 'thing']);
    const { code } = await cli(['import', join(folder, 'things.csv'), '--type', 'thing']);

    expect(code).toBe(0);
    expect((await test.http().get('/api/cms/thing/slug:a-2')).body.data).toMatchObject(thing);
  });

  it('names standard output as its place, and writes that beside the records', async () => {
    expect((await cli(['export', '--out', '-'])).error).toBe('Written: standard output');
  });

  it.each(['ndjson', 'markdown'])('knows a guard for tables only, and not for %s', async (format) => {
    const { code, error } = await cli(['export', '--out', join(folder, 'x'), '--format', format, '--no-guard']);

    expect([code, error]).toEqual([2, '--no-guard is for tables: it goes with --format csv.']);
  });

  it('gives each record a Markdown file of its own, whatever its slug and language are', async () => {
    const long = 'ä'.repeat(150);
    const posts = [
      { title: 'Bonjour', slug: 'bonjour.fr' },
      { title: 'Bonjour', slug: 'bonjour', locale: 'fr' },
      { title: 'Long', slug: long },
    ];
    const ids = [];
    for (const post of posts) ids.push((await test.http().post('/api/cms/post').send(post)).body.data.id);
    await test
      .http()
      .post('/api/cms/post')
      .send({ title: 'Number', slug: `${ids[2]}` });

    const { out } = await cli([
      'export',
      '--out',
      join(folder, 'own'),
      '--format',
      'markdown',
      '--type',
      'post',
      '--json',
    ]);

    const { counts } = JSON.parse((await cli(['import', join(folder, 'own', 'post'), '--dry-run', '--json'])).out);
    expect(counts).toMatchObject({ created: JSON.parse(out).records, refused: 0 });
  });

  it.each([
    [() => folder, 'is a folder. Give the name of a file.'],
    [() => join(folder, 'nowhere', 'x'), 'The folder is not there.'],
    [() => '/dev/null', 'is no file. Give the name of a file.'],
  ])('says why a file cannot be written, and leaves what is there: %#', async (out, sentence) => {
    const { code, error } = await cli(['export', '--out', out()]);

    expect(code).toBe(1);
    expect(error).toContain(sentence);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it('writes through a link, which stays one', async () => {
    writeFileSync(join(folder, 'real.ndjson'), '');
    symlinkSync(join(folder, 'real.ndjson'), join(folder, 'link.ndjson'));

    await cli(['export', '--out', join(folder, 'link.ndjson')]);

    expect(readFileSync(join(folder, 'real.ndjson'), 'utf8')).toContain('"format":"cms-ndjson"');
    expect(lstatSync(join(folder, 'link.ndjson')).isSymbolicLink()).toBe(true);
  });

  it('writes all types into one file of lines', async () => {
    const file = join(folder, 'all.ndjson');

    const { code } = await cli(['export', '--out', file]);

    expect(code).toBe(0);
    const names = linesOf(readFileSync(file, 'utf8')).flatMap(({ kind, data }) => (kind === 'type' ? [data.name] : []));
    expect(names).toEqual(['page', 'post', 'thing']);
  });

  it.each([
    [
      ['--out', 'x', '--format', 'pdf'],
      "option '--format <format>' argument 'pdf' is invalid. Allowed choices are ndjson, csv, markdown.",
    ],
    [['--out', 'x', '--format', 'csv'], 'A table needs a --type.'],
    [[], "required option '--out <file|folder|->' not specified"],
  ])('refuses %j', async (words, sentence) => {
    const { code, error } = await cli(['export', ...words]);

    expect(code).toBe(2);
    expect(error).toContain(sentence);
  });
});

describe('A file of lines of our own', () => {
  const KINDS = [
    { name: 'note', type: 'string' },
    { name: 'amount', type: 'number' },
    { name: 'flag', type: 'boolean' },
    { name: 'day', type: 'date' },
    { name: 'facts', type: 'json' },
    { name: 'words', type: 'list', of: 'string' },
    { name: 'near', type: 'relation', to: ['lined'] },
  ];
  const TYPE = { name: 'lined', label: 'Lined', label_plural: 'Lined', fields: KINDS, taxonomies: ['tag'] };
  const VALUES = { note: '=1\u2028', amount: -1.5, flag: false, day: '2024-02-29', facts: { a: [1, null] } };
  const FULL = { ...VALUES, words: ['a|b', ' c '], body: '# Über\r\n', terms: { tag: ['optics', 'Night sky'] } };
  const SHOWN = ['title', 'slug', 'body', 'status', 'locale', 'published_at', 'created_at', ...Object.keys(VALUES)];
  let file: string;

  beforeAll(async () => {
    const { body } = await test.http().post('/api/admin/types').send(TYPE);
    expect(body).toMatchObject({ data: { name: 'lined' } });
    const published = { status: 'published', published_at: '2020-01-02T03:04:05.000Z' };
    const records = [{ title: 'Full', ...published, ...FULL }, { title: 'Bare' }, { title: 'Old', status: 'archived' }];
    for (const record of records) expect((await test.http().post('/api/cms/lined').send(record)).status).toBe(201);
    file = join(folder, 'lined.ndjson');
    expect((await cli(['export', '--out', file, '--type', 'lined'])).code).toBe(0);
  });

  async function recordsOf(service: TestApp): Promise<Record<string, unknown>[]> {
    const { body } = await service.http().get('/api/cms/lined?sort=id&per_page=100').expect(200);
    return (body as { data: Record<string, unknown>[] }).data;
  }

  function contentOf(record: Record<string, unknown> | undefined): unknown[] {
    const terms = record?.terms as Record<string, { slug: string; name: string }[]>;
    const named = Object.values(terms).map((own) => own.map(({ slug, name }) => [slug, name]));
    return [...[...SHOWN, 'words'].map((name) => record?.[name]), named];
  }

  const importInto = async ({ database: { url } }: TestApp, ...words: string[]) => {
    const { code, out } = await runner({ DATABASE_URL: url })(['import', file, '--json', ...words]);
    return { code, report: JSON.parse(out) };
  };

  it('becomes the same records in another database, and a second time no more of them', async () => {
    const other = await startTestApp();
    await other.http().post('/api/admin/types').send(TYPE).expect(201);

    const first = await importInto(other);
    const again = await importInto(other);

    expect(first).toMatchObject({ code: 0, report: { counts: { created: 3, refused: 0 }, not_taken: [], notes: [] } });
    expect(again).toMatchObject({ code: 0, report: { counts: { created: 0, updated: 0, unchanged: 3 } } });
    const [here, there] = [await recordsOf(test), await recordsOf(other)];
    expect(there.map(contentOf)).toEqual(here.map(contentOf));
    await other.close();
  });

  it('becomes copies in the database that it came from, once', async () => {
    const before = await recordsOf(test);

    const first = await importInto(test);
    const again = await importInto(test);

    expect([first.report.counts, again.report.counts]).toEqual([
      { created: 3, updated: 0, unchanged: 0, refused: 0 },
      { created: 0, updated: 0, unchanged: 3, refused: 0 },
    ]);
    const copies = (await recordsOf(test)).slice(before.length);
    expect(copies.map(({ slug }) => slug)).toEqual(['full-2', 'bare-2', 'old-2']);
    expect(copies.map((copy, at) => contentOf({ ...copy, slug: before[at]?.slug }))).toEqual(before.map(contentOf));
  });

  it('is taken from the API too, and overwrites what has changed in it', async () => {
    const other = await startTestApp();
    await other.http().post('/api/admin/types').send(TYPE).expect(201);
    await importInto(other);
    const text = (await test.http().get('/api/cms/lined/-/export?status=archived')).text;
    const ours = text.split('\n').filter((line) => !line.includes('"slug":"old-2"'));
    writeFileSync(file, ours.join('\n').replace('"title":"Old"', '"title":"Older"'));

    const { code, report } = await importInto(other);

    expect([code, report.counts]).toEqual([0, { created: 0, updated: 1, unchanged: 0, refused: 0 }]);
    expect((await recordsOf(other)).map(({ title, slug }) => [title, slug])).toContainEqual(['Older', 'old']);
    await other.close();
  });
});

describe('A table of our own', () => {
  it.each([
    ['with the guard', []],
    ['without it', ['--no-guard']],
  ])('%s is imported into equal records of texts that a spreadsheet would run', async (name, guard) => {
    const type = `formula_${guard.length}`;
    const fields = [
      { name: 'line', type: 'string' },
      { name: 'long', type: 'text' },
      { name: 'facts', type: 'json' },
      { name: 'words', type: 'list', of: 'string' },
    ];
    await test.http().post('/api/admin/types').send({ name: type, label: 'F', label_plural: 'Fs', fields });
    const odd = ['=1+1', "'=1", "''=1", '+1', '-1', '@x', "it's", "'quoted'"];
    for (const [n, text] of odd.entries()) {
      const record = { title: `${text} ${n}`, line: text, long: text, facts: -n, words: [text, '-b|c'], body: text };
      expect((await test.http().post(`/api/cms/${type}`).send(record)).status).toBe(201);
    }
    const file = join(folder, `${type}.csv`);
    await cli(['export', '--out', file, '--format', 'csv', '--type', type, ...guard]);

    const { code } = await cli(['import', file, '--type', type, ...guard]);

    expect(code).toBe(0);
    const { body } = await test.http().get(`/api/cms/${type}?status=draft&sort=id&per_page=100`);
    const own = (body as { data: Record<string, unknown>[] }).data.map((record) =>
      ['title', 'line', 'long', 'facts', 'words', 'body'].map((column) => record[column]),
    );
    expect(own).toHaveLength(2 * odd.length);
    expect([name, own.slice(odd.length)]).toEqual([name, own.slice(0, odd.length)]);
  });
});
