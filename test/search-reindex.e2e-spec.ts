import { SearchChores } from '../src/search/search-chores.js';
import { Reindexing } from '../src/search/reindexing.js';
import { SearchJobs } from '../src/search/search-jobs.js';
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
    expect(records).toBeGreaterThan(0);
    expect(records).toBeLessThan(POSTS);
    expect(await total('ordinary')).toBe(records);

    // What another process would find after this one has gone.
    expect(await reindex.begin(null)).toEqual({ left: POSTS - records, isResumed: true });
    while (!(await reindex.step()).isDone);

    expect(await total('ordinary')).toBe(POSTS);
  });

  it('takes small steps in a process that serves, and rests for twice as long as it works', async () => {
    await loseIndex();
    const { app } = service;
    await app.get(UnitOfWork).run((manager) => app.get(SearchJobs).add(manager, 'all', 0));
    const reindexing = app.get(Reindexing);
    const step = reindexing.step.bind(reindexing);
    const sizes: number[] = [];
    let workedMs = 0;
    const spy = jest.spyOn(reindexing, 'step').mockImplementation(async (job, most) => {
      const startedAt = performance.now();
      const reached = await step(job, most);
      workedMs += performance.now() - startedAt;
      sizes.push(reached.documents.length);
      return reached;
    });

    const startedAt = performance.now();
    await app.get(SearchChores).drain();
    const allMs = performance.now() - startedAt;
    spy.mockRestore();

    expect(Math.max(...sizes)).toBeLessThanOrEqual(25);
    expect(sizes.reduce((sum, n) => sum + n)).toBe(POSTS);
    expect(allMs).toBeGreaterThan(workedMs * 3);
    expect(await total('ordinary')).toBe(POSTS);
  }, 30_000);

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
