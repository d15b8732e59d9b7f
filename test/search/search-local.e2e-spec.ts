import { SearchIndex } from '../../src/search/search-index.js';
import { LocalSearchIndex } from '../../src/search/local/local-search-index.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

/** The core of the search; `npm run test:local-search` runs all of its tests that way. */
describe('GET /api/cms/search of a service with SEARCH_INDEX=local', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp({ SEARCH_INDEX: 'local' }, {}, { repeats: true });
  });

  afterAll(() => service.close());

  const titles = async (q: string, token?: string): Promise<string[]> => {
    const { body } = await service.http(token).get('/api/cms/search').query({ q }).expect(200);
    return body.data.map(({ title }: { title: string }) => title);
  };
  const create = async (body: object): Promise<string> => {
    const { body: answer } = await service.http().post('/api/cms/post').send(body).expect(201);
    return `/api/cms/post/${answer.data.id}`;
  };

  it('follows every change at once', async () => {
    const path = await create({ title: 'Perseids', body: 'meteors in august', status: 'published' });
    expect(await titles('meteors')).toEqual(['Perseids']);

    await service.http().patch(path).send({ body: 'fireballs in august' }).expect(200);
    expect([await titles('meteors'), await titles('fireballs')]).toEqual([[], ['Perseids']]);

    await service.http().patch(path).send({ status: 'draft' }).expect(200);
    expect([await titles('fireballs'), await titles('fireballs', TOKENS.reader)]).toEqual([['Perseids'], []]);

    await service.http().delete(path).expect(204);
    expect(await titles('fireballs')).toEqual([]);
  });

  it('ranks title before terms before body, and finds phrases and beginnings', async () => {
    await create({ title: 'Old body', body: 'a bright quasar', status: 'published' });
    await create({ title: 'Tagged', body: 'nothing here', terms: { tag: ['Quasar'] }, status: 'published' });
    await create({ title: 'Quasar seen', body: 'nothing else', status: 'published' });

    expect(await titles('quasar')).toEqual(['Quasar seen', 'Tagged', 'Old body']);
    expect([await titles('"bright quasar"'), await titles('quasar -bright -tagged')]).toEqual([
      ['Old body'],
      ['Quasar seen'],
    ]);
    expect(await titles('quas')).toEqual(['Quasar seen', 'Tagged', 'Old body']);
  });

  it('is answered from the file on a server', () => {
    if (service.database.address.kind === 'sqlite') return;
    const index = service.app.get(SearchIndex, { strict: false });

    expect(index instanceof LocalSearchIndex && index.isReady).toBe(true);
  });
});
