import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runner } from '../support/cli-runner.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const CONTROL = '\\u0001';

describe('A lossless export of an earlier release', () => {
  let source: TestApp;
  let target: TestApp;
  let folder: string;
  let report: { counts: object; problems: unknown[]; warnings?: unknown[] };
  let text: string;
  const path = (name: string): string => join(folder, `${name}.ndjson`);
  const get = (rest: string) => target.http().get(`/api/${rest}`);

  /** What releases before this one took. */
  const asBefore = (lines: string): string =>
    lines
      .replaceAll('"older-type"', '"then"')
      .replaceAll('"older-taxonomy"', '"then"')
      .replace('"/older/{slug}"', '"/../../{slug}"')
      .replaceAll('Marked', `Ma${CONTROL}rked`)
      .replaceAll('"choice"', `"cho${CONTROL}ice"`)
      .replaceAll('"locale":"de"', '"locale":"pt-br"');

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cms-older-'));
    [source, target] = [await startTestApp(), await startTestApp()];
    const post = (rest: string, body: object) => source.http().post(`/api/${rest}`).send(body).expect(201);
    await post('admin/taxonomies', { name: 'older-taxonomy' });
    const fields = [
      { name: 'then', type: 'string', label: 'Marked', indexed: true },
      { name: 'kind', type: 'enum', values: ['choice', 'other'], default: 'choice' },
      { name: 'all', type: 'list', of: 'string' },
    ];
    const type = { name: 'older-type', label: 'Marked', url_path: '/older/{locale}-{slug}', fields };
    await post('admin/types', { ...type, taxonomies: ['older-taxonomy'] });
    const record = {
      title: 'Marked one',
      slug: 'same',
      then: 'Marked text',
      all: ['Marked', 'x'],
      status: 'published',
    };
    await post('cms/older-type', { ...record, terms: { 'older-taxonomy': ['A term'] } });
    await post('cms/older-type', { ...record, locale: 'de', kind: 'other' });
    expect((await cli(source)(['export', '--out', path('now')])).code).toBe(0);
    text = asBefore(readFileSync(path('now'), 'utf8').replace('/older/{locale}-{slug}', '/older/{slug}'));
    writeFileSync(path('then'), text);
    const { out, error } = await cli(target)(['import', path('then'), '--json']);
    expect(error).toBe('');
    report = JSON.parse(out);
  });

  afterAll(async () => {
    await source.close();
    await target.close();
    rmSync(folder, { recursive: true });
  });

  const cli = ({ database }: TestApp) => runner({ DATABASE_URL: database.url });

  it('is the file that is meant', () => {
    expect(text).toContain('"name":"then"');
    expect(text).toContain('/../../{slug}');
    expect(text).toContain(`Ma${CONTROL}rked`);
  });

  it('is taken as a whole', () => {
    expect(report.counts).toEqual({ created: 2, updated: 0, unchanged: 0, refused: 0 });
    expect(report.problems).toEqual([]);
  });

  it('keeps names and addresses that nothing new may have', async () => {
    const { body } = await get('admin/types/then').expect(200);

    expect(body.data).toMatchObject({ name: 'then', url_path: '/../../{slug}', taxonomies: ['then'] });
    expect(body.data.label).toBe('Ma\u0001rked');
    expect(body.data.fields[1]).toMatchObject({ values: ['cho\u0001ice', 'other'], default: 'cho\u0001ice' });
    expect((await get('cms/taxonomy/then').expect(200)).body.data).toHaveLength(1);
  });

  it('loses control characters in one-line texts, and says so', async () => {
    const { body } = await get('cms/then?sort=then').expect(200);

    expect(body.data.map((one: { title: string }) => one.title)).toEqual(['Marked one', 'Marked one']);
    expect(body.data[0]).toMatchObject({ then: 'Marked text', all: ['Marked', 'x'] });
    expect(new Set(body.data.map((one: { kind: string }) => one.kind))).toEqual(new Set(['cho\u0001ice', 'other']));
    expect(JSON.stringify(report)).toContain('control characters in title');
    expect(JSON.stringify(report)).toContain('control characters in then');
  });

  it('keeps records of one address, and says so', async () => {
    const { body } = await get('cms/then').expect(200);

    expect(body.data.map((one: { locale: string; slug: string }) => [one.locale, one.slug]).toSorted()).toEqual([
      ['en', 'same'],
      ['pt-BR', 'same'],
    ]);
    expect(JSON.stringify(report)).toContain('does not tell them apart');
  });

  it('changes nothing when it is taken again', async () => {
    const { out } = await cli(target)(['import', path('then'), '--json']);

    expect(JSON.parse(out).counts).toEqual({ created: 0, updated: 0, unchanged: 2, refused: 0 });
  });

  it('does not make such names new', async () => {
    const refused = async (rest: string, body: object) => {
      const answer = await target.http().post(`/api/admin/${rest}`).send(body);
      return [answer.status, answer.body.details?.[0].field, answer.body.details?.[0].rule];
    };
    const kind = (field: object) => ({ name: 'fresh', fields: [{ name: 'kind', type: 'string', ...field }] });

    expect(await refused('taxonomies', { name: 'mood', label: 'a\u0001' })).toEqual([422, 'label', 'control']);
    expect(await refused('types', { name: 'fresh', label: 'a\u0001' })).toEqual([422, 'label', 'control']);
    expect(await refused('types', { name: 'fresh', label_plural: 'a\u001f' })).toEqual([
      422,
      'label_plural',
      'control',
    ]);
    expect(await refused('types', kind({ label: 'a\u0001' }))).toEqual([422, 'fields.0.label', 'control']);
    expect(await refused('types', kind({ default: 'a\u0001' }))).toEqual([422, 'fields.0.default', 'control']);
    expect(await refused('types', kind({ type: 'enum', values: ['ok', 'a\u0001'] }))).toEqual([
      422,
      'fields.0.values.1',
      'control',
    ]);
    expect(await refused('types', { name: 'fresh', url_path: '/../{slug}' })).toEqual([422, 'url_path', 'pattern']);
  });
});
