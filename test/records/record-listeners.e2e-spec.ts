import type { EntityManager } from 'typeorm';
import { select } from '../../src/database/statements/statement.js';
import { RecordListeners, type RecordListener } from '../../src/records/writing/record-listeners.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

type Heard = Required<Pick<RecordListener, 'written' | 'trashed' | 'removed' | 'typeChanged'>>;

/** Writes down its calls, and whether it could see it in the database. */
class Witness implements Heard {
  readonly heard: string[] = [];
  fails = false;

  async written(manager: EntityManager, changes: Parameters<Heard['written']>[1]): Promise<void> {
    for (const { id, action, before, after, version } of changes) {
      const [row] = await select<{ version: number }>(manager, 'SELECT version FROM records WHERE id = ?', [id]);
      const change = `${action} ${before?.title ?? '-'} > ${after.title} v${version}`;
      this.heard.push(row?.version === version ? change : `not in the database: ${change}`);
    }
    if (this.fails) throw new Error('The listener cannot write.');
  }

  async trashed(_: EntityManager, records: Parameters<Heard['trashed']>[1]): Promise<void> {
    this.heard.push(...records.map(({ status }) => `trashed ${status}`));
    return Promise.resolve();
  }

  async removed(_: EntityManager, records: Parameters<Heard['removed']>[1]): Promise<void> {
    this.heard.push(...records.map(({ status, wasTrashed }) => `removed ${status} ${wasTrashed}`));
    return Promise.resolve();
  }

  async typeChanged(...[, before, after]: Parameters<Heard['typeChanged']>): Promise<void> {
    this.heard.push(`type ${before.label} > ${after.label} v${after.version}`);
    return Promise.resolve();
  }
}

describe('Listeners to records', () => {
  let test: TestApp;
  let witness: Witness;

  beforeAll(async () => {
    test = await startTestApp();
    witness = new Witness();
    test.app.get(RecordListeners, { strict: false }).add(witness);
  });
  beforeEach(() => {
    witness.heard.length = 0;
    witness.fails = false;
  });
  afterAll(() => test.close());

  const create = async (body: object): Promise<number> => {
    const answer = await test.http().post('/api/cms/post').send(body).expect(201);
    return (answer.body as { data: { id: number } }).data.id;
  };

  it('hear of every write, in its transaction', async () => {
    const id = await create({ title: 'One' });
    await test.http().put(`/api/cms/post/${id}`).send({ title: 'Two' }).expect(200);
    await test.http().put(`/api/cms/post/${id}`).send({ title: 'Two' }).expect(200);
    await test.http().put(`/api/cms/post/${id}`).send({ status: 'published' }).expect(200);
    await test.http().put(`/api/cms/post/${id}`).send({ status: 'archived' }).expect(200);
    await test.http().delete(`/api/cms/post/${id}`).expect(204);
    await test.http().post(`/api/cms/post/${id}/restore`).expect(200);
    await test.http().delete(`/api/cms/post/${id}?permanent=true`).expect(204);

    expect(witness.heard).toEqual([
      'create - > One v1',
      'update One > Two v2',
      'publish Two > Two v3',
      'unpublish Two > Two v4',
      'trashed archived',
      'restore - > Two v6',
      'removed archived false',
    ]);
  });

  it('take the record down with them when they fail', async () => {
    const id = await create({ title: 'Stays' });
    witness.fails = true;

    await test.http().put(`/api/cms/post/${id}`).send({ title: 'Goes' }).expect(500);
    await test.http().post('/api/cms/post').send({ title: 'Never there', slug: 'never-there' }).expect(500);

    const { body } = await test.http().get(`/api/cms/post/${id}`).expect(200);
    expect(body).toMatchObject({ data: { title: 'Stays', version: 1 } });
    await test.http().get('/api/cms/post/slug:never-there').expect(404);
  });

  it('hear of changes of a type, and of records that go with it', async () => {
    await test.http().post('/api/admin/types').send({ name: 'note', label: 'Note' }).expect(201);
    await test.http().post('/api/cms/note').send({ title: 'In the list' }).expect(201);
    await test.http().put('/api/admin/types/note').send({ label: 'Remark' }).expect(200);
    await test.http().delete('/api/admin/types/note?confirm=note').expect(204);

    expect(witness.heard).toEqual(['create - > In the list v1', 'type Note > Remark v2', 'removed draft false']);
  });
});
