import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

describe('The order of hits', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(() => service.close());

  const add = (record: object) =>
    service
      .http()
      .post('/api/cms/post')
      .send({ status: 'published', ...record })
      .expect(201);
  const found = async (q: string, token?: string): Promise<{ title: string; score: number }[]> =>
    (await service.http(token).get('/api/cms/search').query({ q }).expect(200)).body.data;

  it('puts the title before terms and terms before the body, however long the texts are', async () => {
    const long = Array.from({ length: 1_000 }, (_, n) => `filler${n % 83}`).join(' ');
    await add({ title: 'A note', body: 'heron heron heron' });
    await add({ title: 'An article', body: long, terms: { tag: ['heron'] } });
    await add({ title: 'A heron and very much more', body: long });

    expect((await found('heron')).map(({ title }) => title)).toEqual([
      'A heron and very much more',
      'An article',
      'A note',
    ]);
  });

  it('puts a part of the query in the title before any number of both in the body', async () => {
    await add({ title: 'Petrel', body: `${'filler '.repeat(500)} cormorant` });
    await add({ title: 'Birds', body: 'petrel cormorant '.repeat(20) });

    expect((await found('"petrel" "cormorant"')).map(({ title }) => title)).toEqual(['Petrel', 'Birds']);
  });

  it('gives scores that say nothing about records that must not be seen', async () => {
    await add({ title: 'Seen', body: 'capybara once' });
    await add({ title: 'Seen too', body: 'the capybara and very many other animals of the river' });
    const before = await found('capybara', TOKENS.reader);

    for (let n = 0; n < 12; n += 1) await add({ title: `Hidden ${n}`, body: 'capybara once', status: 'draft' });

    const after = await found('capybara', TOKENS.reader);
    expect(before[0]?.score).toBe(1);
    expect(after.map(({ title }) => title)).toEqual(before.map(({ title }) => title));
    expect(after[0]?.score).toBe(1);
    await add({ title: 'Alone', body: 'wolverine' });
    expect((await found('wolverine', TOKENS.reader))[0]?.score).toBe(1);
  });
});
