import type { Response } from 'supertest';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { userRequests } from '../support/user-requests.js';

describe('Pages of users', () => {
  let service: TestApp;
  const { aUser } = userRequests(() => service);

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    for (let n = 0; n < 5; n += 1) await aUser();
  });

  afterAll(() => service.close());

  const get = (query: string) => service.http().get(`/api/users${query}`);

  it('are one for most: all users, and no way on', async () => {
    const { body, headers } = await get('').expect(200);

    expect(body).toHaveLength(5);
    expect(headers.link).toBe('<?page=1&per_page=1000>; rel="first"');
  });

  it('lead on by Link, from the first to the last', async () => {
    const [all, ids, links] = [(await get('')).body as { id: number }[], [] as number[], [] as string[]];
    for (let query: string | undefined = '?per_page=2'; query !== undefined;) {
      const { body, headers }: Response = await get(query).expect(200);
      ids.push(...(body as { id: number }[]).map(({ id }) => id));
      links.push(headers.link ?? '');
      query = /<([^>]*)>; rel="next"/.exec(headers.link ?? '')?.[1];
    }

    expect(ids).toEqual(all.map(({ id }) => id));
    expect(links).toEqual([
      '<?page=1&per_page=2>; rel="first", <?page=2&per_page=2>; rel="next"',
      '<?page=1&per_page=2>; rel="first", <?page=1&per_page=2>; rel="prev", <?page=3&per_page=2>; rel="next"',
      '<?page=1&per_page=2>; rel="first", <?page=2&per_page=2>; rel="prev"',
    ]);
  });

  it('hold a thousand users at most', async () => {
    expect((await get('?per_page=5000&page=2')).headers.link).toContain('per_page=1000');
  });

  it.each(['?page=0', '?per_page=x', '?role=admin'])('refuse %s', async (query) => {
    expect((await get(query)).body.error).toBe('invalid_query');
  });
});
