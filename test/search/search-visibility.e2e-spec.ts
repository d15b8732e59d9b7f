import { startTestApp, type TestApp } from '../support/test-app.js';

const POSTS = 'posts-only-token-0123456789';
const PAGES_AND_DRAFTS = 'pages-and-drafts-token-0123456789';
const WRITER = 'writer-only-token-0123456789';
const ADMIN = 'admin-token-of-this-test-0123456789';

describe('What a search shows', () => {
  let service: TestApp;

  beforeAll(async () => {
    const tokens = [
      `admin=${ADMIN}`,
      `posts=${POSTS};records:read:post`,
      `pages=${PAGES_AND_DRAFTS};records:read:page records:read:post drafts:read:page`,
      `writer=${WRITER};records:create`,
    ];
    service = await startTestApp({ API_TOKENS: tokens.join(',') });
    for (const type of ['post', 'page']) {
      for (const status of ['draft', 'published', 'archived']) {
        const body = { title: `Nebula ${type} ${status}`, status };
        await service.http(ADMIN).post(`/api/cms/${type}`).send(body).expect(201);
      }
    }
    await service.http(ADMIN).post('/api/cms/page').send({ title: 'Xylophone', status: 'published' }).expect(201);
  });

  afterAll(() => service.close());

  const found = async (token: string, query = ''): Promise<[number, string[]]> => {
    const { body } = await service.http(token).get(`/api/cms/search?q=nebula${query}`).expect(200);
    const titles = body.data.map(({ title }: { title: string }) => title.replace('Nebula ', ''));
    return [body.meta.total, titles.sort()];
  };

  it('are all types and statuses to those who may see everything', async () => {
    expect((await found(ADMIN))[0]).toBe(6);
    expect(await found(ADMIN, '&type=page&status=draft,archived')).toEqual([2, ['page archived', 'page draft']]);
    expect(await found(ADMIN, '&type=page&status=draft&type=page&status=archived')).toEqual([
      2,
      ['page archived', 'page draft'],
    ]);
  });

  it('are the types that a narrowed token may read, in data and in numbers', async () => {
    expect(await found(POSTS)).toEqual([1, ['post published']]);
    expect(await found(POSTS, '&status=draft')).toEqual([0, []]);
  });

  it('are drafts of those types only for which the token may see them', async () => {
    const all = ['page archived', 'page draft', 'page published', 'post published'];
    expect(await found(PAGES_AND_DRAFTS)).toEqual([4, all]);
  });

  it('is refused for a type that the token may not read, and altogether for one that may read nothing', async () => {
    await service.http(POSTS).get('/api/cms/search?q=nebula&type=page').expect(403);
    await service.http(WRITER).get('/api/cms/search?q=nebula').expect(403);
  });

  it('is never hinted at by a suggestion', async () => {
    const suggestion = async (token: string) =>
      (await service.http(token).get('/api/cms/search?q=xylophon%C3%A9s').expect(200)).body.meta.suggestion;

    expect(await suggestion(PAGES_AND_DRAFTS)).toBe('xylophone');
    expect(await suggestion(POSTS)).toBeUndefined();
  });
});
