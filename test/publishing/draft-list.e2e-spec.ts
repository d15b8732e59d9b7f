import { runner } from '../support/cli-runner.js';
import { copyRequests } from '../support/copy-requests.js';
import { expectError } from '../support/errors.js';
import { Historian } from '../support/historian.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

const SECRETS = { author: 'test-author-token-0123456789', pages: 'test-pages-token-0123456789' };
const API_TOKENS = [
  `admin=${TOKENS.admin}`,
  `reader=${TOKENS.reader};records:read`,
  `author=${SECRETS.author};records:read records:update drafts:read`,
  `pages=${SECRETS.pages};records:read drafts:read:page`,
].join(',');

describe('GET /api/cms/-/drafts', () => {
  let service: TestApp;
  let posts: Historian;
  let pages: Historian;

  beforeAll(async () => {
    service = await startTestApp({ API_TOKENS, RATE_LIMITS: 'off' });
    [posts, pages] = [new Historian(service), new Historian(service, 'page')];
  });
  afterAll(() => service.close());

  const { save, send } = copyRequests(() => service);
  const list = (query = '', token?: string) => service.http(token).get(`/api/cms/-/drafts${query}`);
  const idsIn = async (query = '', token?: string): Promise<number[]> => {
    const { body } = await list(query, token).expect(200);
    return body.data.map(({ record }: { record: { id: number } }) => record.id);
  };

  it('lists what is being worked on, that which was saved last first, with counts of what is in the way', async () => {
    const [first, second] = [
      await posts.create({ title: 'One', status: 'published' }),
      await posts.create({ title: 'A' }),
    ];
    const { meta } = await save(`post/${first}`, { title: 'Two', body: 'Mine' });
    await posts.update(first, { body: 'Theirs' });
    await save(`post/${second}`, { title: '' });

    const { body } = await list().expect(200);

    const { version, base_version, created_at, created_by, updated_at, updated_by } = meta.draft;
    expect(body.meta).toMatchObject({ total: 2, current_page: 1 });
    expect(body.data[0]).toMatchObject({ record: { id: second, title: '' }, faults: 1 });
    expect(body.data[1]).toEqual({
      record: { id: first, type: 'post', title: 'Two', slug: 'one', status: 'published' },
      ...{ version, base_version, changed: ['title', 'body'], conflicts: 1, faults: 0 },
      ...{ created_at, created_by, updated_at, updated_by },
    });
  });

  it('is narrowed to types, records and what is one’s own, page by page', async () => {
    const [post, page] = [await posts.create({ title: 'Post' }), await pages.create({ title: 'Page' })];
    await save(`page/${page}`, { title: 'Mine' });
    await send('patch', `post/${post}`, '*', { title: 'Theirs' }, SECRETS.author).expect(201);

    expect(await idsIn('?type=page')).toEqual([page]);
    expect(await idsIn(`?ids=${post},${page}`)).toEqual([post, page]);
    expect(await idsIn('?mine=true', SECRETS.author)).toEqual([post]);
    expect(await idsIn('?mine=true')).not.toContain(post);
    expect(await idsIn(`?ids=${post},${page}&per_page=1&page=2`)).toEqual([page]);
    for (const query of ['?ids=x', '?mine=1', '?colour=red', '?type=']) expectError(await list(query), 'invalid_query');
    expectError(await list('?type=nothing'), 'type_not_found');
  });

  it('shows those of the types whose drafts the caller may read, and needs one of them', async () => {
    const [post, page] = [await posts.create({ title: 'Post' }), await pages.create({ title: 'Page' })];
    for (const path of [`post/${post}`, `page/${page}`]) await save(path, { title: 'Two' });

    expect(await idsIn(`?ids=${post},${page}`, SECRETS.pages)).toEqual([page]);
    expectError(await list('?type=post', SECRETS.pages), 'insufficient_scope');
    expectError(await list('', TOKENS.reader), 'insufficient_scope');
  });

  it('is what "drafts list" of the command line prints', async () => {
    const id = await posts.create({ title: 'Post' });
    await save(`post/${id}`, { title: 'By hand', body: null });
    const run = runner({ DATABASE_URL: service.database.url });

    const { code, out } = await run('drafts list --type post');
    const listed = JSON.parse((await run('drafts list --type post --json')).out) as unknown;

    expect([code, listed]).toEqual([0, (await list('?type=post&per_page=100')).body.data]);
    expect(out).toMatch(new RegExp(`^post/${id} +draft +By hand +title +0 +0 +20.*admin$`, 'm'));
  });

  it('leaves out what changed nothing but fields that the type has no more', async () => {
    const fields = [
      { name: 'kept', type: 'string' },
      { name: 'lost', type: 'string' },
    ];
    await service.http().post('/api/admin/types').send({ name: 'shrunk', fields }).expect(201);
    const records = new Historian(service, 'shrunk');
    const [both, one] = [await records.create({ title: 'Both' }), await records.create({ title: 'One' })];
    await save(`shrunk/${both}`, { kept: 'a', lost: 'b' });
    await save(`shrunk/${one}`, { lost: 'b' });

    await service
      .http()
      .put('/api/admin/types/shrunk?confirm=shrunk')
      .send({ fields: fields.slice(0, 1) })
      .expect(200);

    const { data, meta } = (await list('?type=shrunk')).body;
    expect([data, meta.total]).toMatchObject([[{ record: { id: both }, changed: ['kept'] }], 1]);
    expect((await records.post(`${one}/publish`).expect(200)).body.data.title).toBe('One');
  });

  it('leaves out records of the trash', async () => {
    const id = await posts.create({ title: 'Post' });
    await save(`post/${id}`, { title: 'Two' });
    await service.http().delete(`/api/cms/post/${id}`).expect(204);

    expect(await idsIn(`?ids=${id}`)).toEqual([]);
  });
});
