import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runner } from '../support/cli-runner.js';
import { Historian } from '../support/historian.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** More than are read or written at a time. */
const WRITES = 150;

let source: TestApp;
let elsewhere: TestApp;
let folder: string;
let lines: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cms-elsewhere-'));
  source = await startTestApp();
  elsewhere = await startTestApp();
  const historian = new Historian(source);
  const long = await historian.create({ title: 'Long', slug: 'long', terms: { tag: ['one', 'two', 'three'] } });
  for (let write = 2; write <= WRITES; write += 1) await historian.update(long, { body: `Write ${write}` });
  const short = await historian.create({ title: 'Short', slug: 'short', terms: { tag: ['one'] } });
  await historian.create({ title: 'Third', slug: 'third' });
  const terms = new Map<string, number>();
  for (const slug of ['one', 'two', 'three']) {
    const { body } = await source.http().get(`/api/cms/taxonomy/tag/slug:${slug}`).expect(200);
    terms.set(slug, body.data.id);
  }
  const merge = (slug: string, into: string) =>
    source
      .http()
      .post(`/api/cms/taxonomy/tag/${terms.get(slug)}/merge`)
      .send({ into: terms.get(into) })
      .expect(200);
  await merge('one', 'two');
  await merge('two', 'three');
  await historian.update(short, { body: 'after the merge' });
  lines = await exported(source, 'first');
});

afterAll(async () => {
  await source.close();
  await elsewhere.close();
  rmSync(folder, { recursive: true });
});

const path = (name: string): string => join(folder, `${name}.ndjson`);
const cli = ({ database }: TestApp) => runner({ DATABASE_URL: database.url });

async function exported(service: TestApp, name: string): Promise<string[]> {
  expect((await cli(service)(['export', '--out', path(name)])).code).toBe(0);
  return readFileSync(path(name), 'utf8').trimEnd().split('\n');
}

async function imported(service: TestApp, content: readonly string[], ...words: string[]) {
  writeFileSync(path('given'), `${content.join('\n')}\n`);
  const { out, error } = await cli(service)(['import', path('given'), '--json', ...words]);
  expect(error).toBe('');
  const { counts, problems } = JSON.parse(out);
  return { counts, sentences: problems.map(({ message }: { message: string }) => message) };
}

describe('A lossless import elsewhere', () => {
  it('reports a record that is missing with all of its revisions, and takes the others', async () => {
    const at = lines.findIndex((line) => line.includes('"slug":"third"'));

    const { counts, sentences } = await imported(
      elsewhere,
      lines.filter((_, index) => index !== at && index !== at + 1),
      '--dry-run',
    );

    expect(counts).toMatchObject({ created: 2, refused: 1 });
    expect(sentences).toEqual([
      expect.stringMatching(/^The file says that it has 3 records and \d+ revisions, but it has 2 and \d+: lines are/),
    ]);
  });

  it('reports a record that stands there twice', async () => {
    const at = lines.findIndex((line) => line.includes('"slug":"third"'));

    const { sentences } = await imported(elsewhere, lines.toSpliced(at, 0, ...lines.slice(at, at + 2)), '--dry-run');

    expect(sentences).toEqual([expect.stringContaining('but it has 4 and')]);
  });

  it('foresees in a dry run which slugs are taken, and takes the rest', async () => {
    const historian = new Historian(elsewhere);
    for (let other = 0; other < 5; other += 1) await historian.create({ title: 'Gone' });
    await historian.create({ title: 'Mine', slug: 'short' });
    const far = lines.map((line) => line.replace(/^({"kind":"re\w+","data":{"(?:id|record)":)/, '$11000'));

    const foreseen = await imported(elsewhere, far, '--dry-run');
    const real = await imported(elsewhere, far);

    expect(foreseen.sentences).toEqual(['Another post has the slug "short". Change it there or here.']);
    expect(foreseen.counts).toMatchObject({ created: 2, refused: 1 });
    expect(real).toEqual(foreseen);
  });

  it('carries long histories and merged terms, so that the same file comes out of an empty database', async () => {
    const empty = await startTestApp();

    const { counts } = await imported(empty, lines);

    expect(counts).toMatchObject({ created: 3, refused: 0 });
    expect((await exported(empty, 'again')).slice(1)).toEqual(lines.slice(1));
    expect(lines.find((line) => line.includes('"slug":"three"'))).toContain('"merged":[{');
    const found = await empty.http().get('/api/cms/post?filter[tag]=one&status=draft').expect(200);
    expect(found.body.meta.total).toBe(2);
    await empty.close();
  });
});
