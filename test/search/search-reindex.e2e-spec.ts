import timers, { setImmediate as nextTurn } from 'node:timers/promises';
import { SearchIndex } from '../../src/search/search-index.js';
import { IndexingJobs } from '../../src/search/indexing/indexing-jobs.js';
import { Reindexing } from '../../src/search/indexing/reindexing.js';
import { IndexingQueue } from '../../src/search/indexing/indexing-queue.js';
import { SearchReindex } from '../../src/search/indexing/search-reindex.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { stopMonotonicClock } from '../support/clock.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Row {
  readonly id: number | string;
  readonly type_id: number | string;
}

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
    await service.app.get(UnitOfWork).run(async (manager) => {
      const records = await manager.query<Row[]>('SELECT id, type_id FROM records');
      const all = records.map(({ id, type_id: typeId }) => ({ id: Number(id), typeId: Number(typeId) }));
      await service.app.get(SearchIndex).remove(manager, all);
    });
  }

  it('goes on where it was stopped, and finds everything in the end', async () => {
    await loseIndex();
    const reindex = service.app.get(SearchReindex);
    const { task } = await reindex.begin(null);
    const { value: records } = await reindex.steps(task).next();
    expect(records).toBeGreaterThan(0);
    expect(records).toBeLessThan(POSTS);
    expect(await total('ordinary')).toBe(records);

    // What another process would find after this one has gone.
    expect(await reindex.begin(null)).toMatchObject({ left: POSTS - records, isResumed: true });
    for await (const _ of reindex.steps((await reindex.begin(null)).task));

    expect(await total('ordinary')).toBe(POSTS);
  });

  it('takes small steps in a process that serves, and rests for twice as long as it works, or a second', async () => {
    await loseIndex();
    const { app } = service;
    await app.get(UnitOfWork).run((manager) => app.get(IndexingQueue).add(manager, 'all', 0));
    const reindexing = app.get(Reindexing);
    const step = reindexing.step.bind(reindexing);
    const sizes: number[] = [];
    const leastMs: number[] = [];
    const pass = stopMonotonicClock();
    jest.spyOn(reindexing, 'step').mockImplementation(async (task, most) => {
      const reached = await step(task, most);
      const workedMs = sizes.length === 0 ? 1_200 : 100 + sizes.length;
      pass(workedMs);
      leastMs.push(Math.min(2 * workedMs, 1_000));
      sizes.push(reached.documents.length);
      return reached;
    });
    const rests: number[] = [];
    jest.spyOn(timers, 'setTimeout').mockImplementation((ms) => {
      rests.push(ms ?? 0);
      return nextTurn();
    });

    await app.get(IndexingJobs).drain();
    jest.restoreAllMocks();

    expect(Math.max(...sizes)).toBeLessThanOrEqual(25);
    expect(sizes.reduce((sum, n) => sum + n)).toBe(POSTS);
    expect(rests).toHaveLength(sizes.length);
    for (const [index, ms] of leastMs.entries()) expect(rests[index]).toBeGreaterThanOrEqual(ms);
    expect(await total('ordinary')).toBe(POSTS);
  });

  it('is done once by two processes that work on one task', async () => {
    await loseIndex();
    const [one, other] = [service.app.get(SearchReindex), service.app.get(IndexingJobs)];
    const { task } = await one.begin(null);
    let records = 0;
    const counted = async () => {
      for await (const done of one.steps(task)) records += done;
    };

    await Promise.all([counted(), other.drain()]);

    expect(records).toBeLessThanOrEqual(POSTS);
    expect(await total('ordinary')).toBe(POSTS);
    expect(await service.app.get(IndexingQueue).oldest()).toBeNull();
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
    await service.app.get(IndexingJobs).drain();

    expect([await total('perspicacity'), await total('oldname'), await total('newname')]).toEqual([1, 0, 1]);
  });

  it('follows a term of more records than are listed at once, and passes over those that do not hold it', async () => {
    const { app } = service;
    const http = () => service.http();
    await http()
      .put('/api/admin/types/page')
      .send({ taxonomies: ['tag'] })
      .expect(200);
    const page = { title: 'First', terms: { tag: ['oldtag'] }, status: 'published' };
    const { body } = await http().post('/api/cms/page').send(page).expect(201);
    const [first, term] = [Number(body.data.id), Number(body.data.terms.tag[0].id)];
    // Records enough, of which the search knows nothing: the first one and every third of the others hold the term.
    await app.get(UnitOfWork).run(async (manager) => {
      const [{ type_id: type }] = await manager.query(`SELECT type_id FROM records WHERE id = ${first}`);
      for (let start = 1; start <= 3_600; start += 300) {
        const ids = Array.from({ length: 300 }, (_, n) => first + start + n);
        const rows = ids.map((id) => `(${id}, ${type}, 'en', 'p-${id}', 'P', 'p', 'published', 1, 1, 1, 1, 1, 1, 0)`);
        await manager.query(
          `INSERT INTO records (id, type_id, locale, slug, title, title_key, status, version, created_by, updated_by,
             created_at, updated_at, published_at, trashed_at) VALUES ${rows.join()}`,
        );
        const contents = ids.map(
          (id) => `(${id}, 'of the crowd', '{}', ${id % 3 === 0 ? `'{"tag":[${term}]}'` : 'NULL'})`,
        );
        await manager.query(`INSERT INTO record_contents (record_id, body, data, terms) VALUES ${contents.join()}`);
        const held = ids.filter((id) => id % 3 === 0).map((id) => `(${id}, 0, 0, ${term}, 'tag', 1)`);
        await manager.query(
          `INSERT INTO record_fields (record_id, field_id, pos, num, str, sort_at) VALUES ${held.join()}`,
        );
      }
    });

    await http().put(`/api/cms/taxonomy/tag/${term}`).send({ name: 'laternewtag' }).expect(200);
    let task = await app.get(IndexingQueue).find('term', term);
    while (task) ({ task } = await app.get(Reindexing).step(task, 500));

    expect([await total('laternewtag'), await total('crowd')]).toEqual([1_201, 1_200]);
  });

  it('takes long records one by one', async () => {
    const long = async (n: number): Promise<number> => {
      const body = `${'longword '.repeat(9_000)}${n}`;
      const post = { title: `Long ${n}`, body, status: 'published' };
      return (await service.http().post('/api/cms/post').send(post).expect(201)).body.data.id;
    };
    const first = await long(1);
    await service.http().post('/api/cms/post').send({ title: 'Short between', body: 'shortword' }).expect(201);
    await long(2);
    await loseIndex();
    const queue = service.app.get(IndexingQueue);
    await service.app.get(UnitOfWork).run((manager) => queue.add(manager, 'all', 0));
    let task = await queue.find('all', 0);
    const steps: number[][] = [];
    while (task) {
      const reached = await service.app.get(Reindexing).step(task, 1_000);
      steps.push(reached.documents.map(({ id }) => id));
      ({ task } = reached);
    }

    expect(steps.find((ids) => ids.includes(first))).toEqual([first]);
    expect(await total('longword')).toBe(2);
  });
});
