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

    expect(readFileSync(join(folder, 'real.ndjson'), 'utf8')).toContain('"lossless":true');
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
    [['--out', 'x', '--format', 'pdf'], '--format must be one of'],
    [['--out', 'x', '--format', 'csv'], 'A table needs a --type.'],
    [[], '--out is missing.'],
  ])('refuses %j', async (words, sentence) => {
    const { code, error } = await cli(['export', ...words]);

    expect(code).toBe(2);
    expect(error).toContain(sentence);
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
