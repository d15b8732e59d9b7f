import { SearchChores } from '../src/search/search-chores.js';
import { SearchReindex } from '../src/search/search-reindex.js';
import { UnitOfWork } from '../src/database/unit-of-work.js';
import { startTestApp, type TestApp } from './support/test-app.js';

describe('Indexing anew', () => {
  let service: TestApp;
  const POSTS = 450;

  beforeAll(async () => {
    service = await startTestApp();
    for (let n = 0; n < POSTS; n += 1) {
      const post = { title: `Number ${n}`, body: 'ordinary', status: 'published' };
      await service.http().post('/api/cms/post').send(post).expect(201);
    }
  });

  afterAll(() => service.close());

  const total = async (q: string): Promise<number> =>
    (await service.http().get(`/api/cms/search?q=${q}`).expect(200)).body.meta.total;

  async function loseIndex(): Promise<void> {
    const isFile = service.database.address.kind === 'sqlite';
    const table = isFile ? 'search_index' : 'search_documents';
    await service.app.get(UnitOfWork).run((manager) => manager.query(`DELETE FROM ${table}`));
  }

  it('goes on where it was stopped, and finds everything in the end', async () => {
    await loseIndex();
    const reindex = service.app.get(SearchReindex);
    await reindex.begin(null);
    await reindex.step();
    const { records } = await reindex.step();
    expect(records).toBe(200);
    expect(await total('ordinary')).toBe(200);

    // What another process would find after this one has gone.
    expect(await reindex.begin(null)).toEqual({ left: POSTS - 200, isResumed: true });
    while (!(await reindex.step()).isDone);

    expect(await total('ordinary')).toBe(POSTS);
  });

  it('follows a field that becomes searchable, and a term that gets another name', async () => {
    const field = { name: 'motto', type: 'string' };
    await service
      .http()
      .put('/api/admin/types/page')
      .send({ fields: [field], taxonomies: ['tag'] })
      .expect(200);
    const page = { title: 'A page', motto: 'perspicacity', terms: { tag: ['oldname'] }, status: 'published' };
    const { body } = await service.http().post('/api/cms/page').send(page).expect(201);
    expect([await total('perspicacity'), await total('oldname')]).toEqual([0, 1]);

    const changed = { fields: [{ ...field, searchable: true }] };
    await service.http().put('/api/admin/types/page').send(changed).expect(200);
    const term = body.data.terms.tag[0].id;
    await service.http().put(`/api/cms/taxonomy/tag/${term}`).send({ name: 'newname' }).expect(200);
    await service.app.get(SearchChores).drain();

    expect([await total('perspicacity'), await total('oldname'), await total('newname')]).toEqual([1, 0, 1]);
  });
});
