import { expectError } from '../support/errors.js';
import { startLastCommit, type LastCommit } from '../support/last-commit.js';
import type { TestApp } from '../support/test-app.js';

const { TEST_DATABASE_URL: server } = process.env;

describe('A write after which the database cannot be read', () => {
  let last: LastCommit;
  let service: TestApp;

  beforeAll(async () => {
    last = await startLastCommit(server);
    ({ service } = last);
  });

  afterEach(() => {
    last.heal();
  });

  afterAll(async () => {
    jest.restoreAllMocks();
    await last.stop();
  });

  const make = async (body: object) => (await service.http().post('/api/cms/post').send(body).expect(201)).body.data;
  const read = async (path: string) => {
    last.heal();
    return (await service.http().get(path).expect(200)).body.data;
  };
  const titled = async (title: string): Promise<number> =>
    ((await read('/api/cms/post?per_page=100&fields=title')) as { title: string }[]).filter(
      (record) => record.title === title,
    ).length;
  const expectUnknown = (answer: Parameters<typeof expectError>[0]): void => {
    expect(last.isCut).toBe(true);
    expectError(answer, 'outcome_unknown');
    expect(answer.headers).not.toHaveProperty('retry-after');
    expect(answer.body.message).toMatch(/^The write was made, at least in part/);
  };

  it('creates a record once, and does not have the request sent again', async () => {
    last.after('Order 4711');

    expectUnknown(await service.http().post('/api/cms/post').send({ title: 'Order 4711', body: 'Paid' }));

    expect(await titled('Order 4711')).toBe(1);
  });

  it('creates a record with a new tag once', async () => {
    last.after('Order 4712');
    const body = { title: 'Order 4712', terms: { tag: ['not seen before'] } };

    expectUnknown(await service.http().post('/api/cms/post').send(body));

    const { terms } = await read('/api/cms/post/slug:order-4712');
    expect(terms.tag).toEqual([expect.objectContaining({ name: 'not seen before' })]);
    expect(await titled('Order 4712')).toBe(1);
  });

  it('changes a record once', async () => {
    const { id } = await make({ title: 'Order 4713' });
    last.after('Order 4713 b');

    expectUnknown(await service.http().put(`/api/cms/post/${id}`).send({ title: 'Order 4713 b' }));

    expect(await read(`/api/cms/post/${id}`)).toMatchObject({ title: 'Order 4713 b', version: 2 });
  });

  it('deletes a record, and restores one', async () => {
    const { id } = await make({ title: 'Order 4714' });
    last.after('UPDATE records');
    const gone = await service.http().delete(`/api/cms/post/${id}`);
    expect([last.isCut, gone.status]).toEqual([true, 204]);
    last.heal();
    last.after('UPDATE records');

    expectUnknown(await service.http().post(`/api/cms/post/${id}/restore`).send());

    expect(await read(`/api/cms/post/${id}`)).toMatchObject({ title: 'Order 4714' });
  });

  it('brings a revision back', async () => {
    const { id } = await make({ title: 'Order 4715' });
    await service.http().put(`/api/cms/post/${id}`).send({ title: 'Order 4715 b' }).expect(200);
    const revisions = await read(`/api/cms/post/${id}/revisions`);
    last.after('UPDATE records');

    expectUnknown(
      await service
        .http()
        .post(`/api/cms/post/${id}/rollback/${revisions.at(-1).ts}`)
        .send({}),
    );

    expect(await read(`/api/cms/post/${id}`)).toMatchObject({ title: 'Order 4715', version: 3 });
  });

  it('makes a term once, and answers with it', async () => {
    last.after('Orders of May');

    const answer = await service.http().post('/api/cms/taxonomy').send({ type: 'tag', name: 'Orders of May' });

    expect([last.isCut, answer.status, answer.body.data.name]).toEqual([true, 201, 'Orders of May']);
    const terms = (await read('/api/cms/taxonomy/tag')) as { name: string }[];
    expect(terms.filter(({ name }) => name === 'Orders of May')).toHaveLength(1);
  });

  it('changes a content type, and does not have the request sent again', async () => {
    await service.http().post('/api/admin/types').send({ name: 'order' }).expect(201);
    last.after('Orders of June');

    expectUnknown(await service.http().put('/api/admin/types/order').send({ label_plural: 'Orders of June' }));

    expect((await read('/api/admin/types/order')).label_plural).toBe('Orders of June');
  });

  it('has a request sent again of which nothing was done', async () => {
    const { id } = await make({ title: 'Order 4716' });
    last.cut();

    const answer = await service.http().put(`/api/cms/post/${id}`).send({ title: 'Order 4716 b' });

    expectError(answer, 'overloaded');
    expect(answer.headers['retry-after']).toBe('1');
    expect((await read(`/api/cms/post/${id}`)).version).toBe(1);
  });
});
