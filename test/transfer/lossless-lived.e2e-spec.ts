import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runner } from '../support/cli-runner.js';
import { Historian } from '../support/historian.js';
import { aPerson } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const NOTE = { name: 'note', type: 'string' };

/** The slugs of the tags that a record has. */
async function tagsOf(service: TestApp, id: number): Promise<string[]> {
  const { body } = await service.http().get(`/api/cms/post/${id}`).expect(200);
  return (body.data.terms.tag as { slug: string }[]).map(({ slug }) => slug);
}

async function tagId(service: TestApp, slug: string): Promise<number> {
  const { body } = await service.http().get(`/api/cms/taxonomy/tag/slug:${slug}`).expect(200);
  return body.data.id;
}

async function fieldId(service: TestApp, type: string): Promise<string> {
  const { body } = await service.http().get(`/api/admin/types/${type}`).expect(200);
  return body.data.fields[0].id;
}

describe('A lossless import into a database that has used and freed ids', () => {
  let source: TestApp;
  let lived: TestApp;
  let folder: string;
  let own: number;
  let foreign: number;
  let freed: { readonly tags: number; readonly field: string; readonly user: number };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cms-lived-'));
    [source, lived] = [await startTestApp(), await startTestApp()];
    freed = await live();
    await fill();
    await imported('first');
  }, 60_000);

  afterAll(async () => {
    await source.close();
    await lived.close();
    rmSync(folder, { recursive: true });
  });

  /** Uses ids of tags, of a field and of a user, and frees them again. */
  async function live(): Promise<typeof freed> {
    const historian = new Historian(lived);
    own = await historian.create({ title: 'Own', slug: 'own', terms: { tag: ['Gone a', 'Gone b', 'Gone c'] } });
    const tags = await tagId(lived, 'gone-c');
    await historian.update(own, { terms: { tag: [] } });
    for (const slug of ['gone-a', 'gone-b', 'gone-c']) {
      await lived.http().delete(`/api/cms/taxonomy/tag/slug:${slug}`).expect(204);
    }
    await lived
      .http()
      .post('/api/admin/types')
      .send({ name: 'short-lived', fields: [NOTE] })
      .expect(201);
    const field = await fieldId(lived, 'short-lived');
    await lived.http().delete('/api/admin/types/short-lived?confirm=short-lived').expect(204);
    const { id: user } = await aPerson(lived, { role: 'author' });
    await lived.http().delete(`/api/users/${user}`).expect(204);
    return { tags, field, user };
  }

  /** Ids of records are not given anew, so those of both databases differ. */
  async function fill(): Promise<void> {
    await source
      .http()
      .post('/api/admin/types')
      .send({ name: 'memo', fields: [NOTE] })
      .expect(201);
    await aPerson(source, { role: 'author' });
    const records = new Historian(source);
    for (let last = 0; last <= own;) {
      last = await records.create({ title: 'Left behind' });
      await source.http().delete(`/api/cms/post/${last}?permanent=true`).expect(204);
    }
    foreign = await records.create({ title: 'Foreign', slug: 'foreign', terms: { tag: ['One', 'Two'] } });
    await records.update(foreign, { terms: { tag: ['Two'] } });
    const into = await tagId(source, 'two');
    await source
      .http()
      .post(`/api/cms/taxonomy/tag/${await tagId(source, 'one')}/merge`)
      .send({ into })
      .expect(200);
  }

  async function imported(name: string): Promise<{ counts: object; problems: unknown[] }> {
    const path = join(folder, `${name}.ndjson`);
    expect((await runner({ DATABASE_URL: source.database.url })(['export', '--out', path])).code).toBe(0);
    const { code, out } = await runner({ DATABASE_URL: lived.database.url })(['import', path, '--json']);
    expect(code).toBe(0);
    return JSON.parse(out);
  }

  it('does not have a rollback of a record here assign a tag of the file', async () => {
    const [first = 0] = await new Historian(lived).times(own);

    await new Historian(lived).post(`${own}/rollback/${first}`).expect(200);

    expect((await tagsOf(lived, own)).toSorted()).toEqual(['gone-a', 'gone-b', 'gone-c']);
    expect(await tagsOf(lived, foreign)).toEqual(['two']);
  });

  it('gives terms, fields and users of the file ids that were never used here', async () => {
    const { body } = await lived.http().get('/api/users').expect(200);

    expect(await tagId(lived, 'two')).toBeGreaterThan(freed.tags);
    expect(await fieldId(lived, 'memo')).not.toBe(freed.field);
    expect((body as { id: number }[]).map(({ id }) => id)).not.toContain(freed.user);
  });

  it('finds a term that was merged there under its old slug, and in the history where it went', async () => {
    const { body } = await lived.http().get('/api/cms/post?filter[tag]=one&status=draft').expect(200);
    const [first = 0] = await new Historian(lived).times(foreign);

    await new Historian(lived).post(`${foreign}/rollback/${first}`, { dry_run: true }).expect(200);

    expect(body.meta.total).toBe(1);
    expect(await tagsOf(lived, foreign)).toEqual(['two']);
  });

  it('changes nothing the second time, and follows what is written there later', async () => {
    const again = await imported('again');
    await new Historian(source).update(foreign, { body: 'Later', terms: { tag: [] } });
    const later = await imported('later');
    const [first = 0] = await new Historian(lived).times(foreign);
    await new Historian(lived).post(`${foreign}/rollback/${first}`).expect(200);

    expect(again).toMatchObject({ counts: { created: 0, updated: 0, unchanged: 1, refused: 0 }, problems: [] });
    expect(later).toMatchObject({ counts: { created: 0, updated: 1, unchanged: 0, refused: 0 }, problems: [] });
    expect(await tagsOf(lived, foreign)).toEqual(['two']);
  });
});
