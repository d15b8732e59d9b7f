import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

const NASTY = [
  '!!!',
  '""',
  '"',
  '-',
  '--',
  '-a',
  '*',
  'a*',
  '+ - * ++a',
  'a+',
  '(a',
  'a)',
  '@5 a@b',
  'user@example.com',
  'c++',
  'C#',
  '~ > a**',
  'NEAR(a b)',
  'a AND',
  'OR',
  'NOT',
  'a:b',
  'title:x',
  "'' OR 1=1 --",
  '{a}',
  '^a',
  'a" OR "b',
  '\\',
  '%',
  '_',
  '___',
  'search_index MATCH',
  '天',
  '天気',
  '👩‍🚀',
  '\u0000',
  '\uFFFF',
  'x'.repeat(256),
  Array.from({ length: 128 }, () => 'a').join(' '),
  Array.from({ length: 85 }, () => 'a*').join(' '),
];

describe('Searches for anything at all', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp();
    await service.http().post('/api/cms/post').send({ title: 'A plain post', body: 'a b c', status: 'published' });
  });

  afterAll(() => service.close());

  const ask = (query: string, token?: string) => service.http(token).get(`/api/cms/search?${query}`);

  it.each(NASTY)('are answered: %j', async (q) => {
    const { status, body } = await ask(`q=${encodeURIComponent(q)}`);

    expect([status, body.meta?.query]).toEqual([200, q]);
  });

  it.each(['!!!', '-', '""', '*'])('find nothing where nothing is asked for: %j', async (q) => {
    const { body } = await ask(`q=${encodeURIComponent(q)}`);

    expect([body.data, body.meta.total, body.meta.suggestion]).toEqual([[], 0, undefined]);
  });

  it.each([
    ['', 'q'],
    ['q=', 'q'],
    ['q=%20%09', 'q'],
    [`q=${'x'.repeat(257)}`, 'q'],
    ['q=a&status=nothing', 'status'],
    ['q=a&type=', 'type'],
    ['q=a&page=0', 'page'],
    ['q=a&per_page=x', 'per_page'],
    ['q=a&q=b', 'q'],
    ['q=a&sort=title', 'sort'],
  ])('are refused where the query is wrong: %j', async (query, field) => {
    const { status, body } = await ask(query);

    expect([status, body.error, body.details?.[0]?.field]).toEqual([400, 'invalid_query', field]);
  });

  it('answer 404 for a type that there is not', async () => {
    expect((await ask('q=a&type=post,nothing')).body.error).toBe('type_not_found');
    expect((await ask('q=a&type=__proto__')).body.error).toBe('type_not_found');
  });

  it('are empty past the last page, and clamp the size of pages', async () => {
    const { body } = await ask('q=plain&page=9&per_page=1000', TOKENS.reader);

    expect([body.data, body.meta.total, body.meta.per_page]).toEqual([[], 1, 100]);
  });
});
