import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

interface Shown {
  readonly id: number;
  readonly title: string;
}

describe('GET /api/cms/{type}', () => {
  let service: TestApp;
  const ids = new Map<string, number>();

  const browse = (query: string, token?: string) => service.http(token).get(`/api/cms/book?${query}`);
  const titles = async (query: string, token?: string) => {
    const { body } = await browse(query, token);
    return (body.data as Shown[] | undefined)?.map(({ title }) => title) ?? body;
  };

  beforeAll(async () => {
    service = await startTestApp();
    const admin = service.http();
    await admin
      .post('/api/admin/types')
      .send({ name: 'person', label: 'Person', fields: [{ name: 'mentor', type: 'relation', to: ['person'] }] })
      .expect(201);
    await admin
      .post('/api/admin/types')
      .send({
        name: 'book',
        label: 'Book',
        fields: [
          { name: 'rating', type: 'integer', indexed: true },
          { name: 'genre', type: 'enum', values: ['novel', 'poetry'], indexed: true },
          { name: 'released', type: 'date', indexed: true },
          { name: 'loved', type: 'boolean', indexed: true },
          { name: 'tags', type: 'list', of: 'string', indexed: true },
          { name: 'author', type: 'relation', to: ['person'], indexed: true },
          { name: 'imprint', type: 'string', indexed: true },
          { name: 'notes', type: 'text' },
        ],
      })
      .expect(201);
    const add = async (type: string, body: { title: string } & Record<string, unknown>) => {
      const answer = await admin.post(`/api/cms/${type}`).send({ status: 'published', ...body });
      expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
      ids.set(body.title, answer.body.data.id);
      return answer.body.data.id as number;
    };
    const hidden = await add('person', { title: 'Hidden mentor', status: 'draft' });
    const mentor = await add('person', { title: 'Mentor', mentor: hidden });
    const ana = await add('person', { title: 'Ana', mentor });
    await add('book', {
      title: 'Emma',
      imprint: 'Émile',
      rating: 5,
      genre: 'novel',
      released: '1815-12-23',
      loved: true,
      tags: ['old', 'love'],
      author: ana,
    });
    await add('book', {
      title: 'Dune',
      imprint: 'élodie',
      rating: 3,
      genre: 'novel',
      released: '1965-08-01',
      loved: false,
      tags: ['sand'],
      author: ana,
    });
    await add('book', {
      title: 'Birches',
      imprint: 'Łukasz',
      rating: 4,
      genre: 'poetry',
      released: '1915-08-01',
      tags: ['old', 'two\nlines'],
    });
    await add('book', { title: 'Unrated', imprint: 'adam' });
    await add('book', { title: 'Draft', status: 'draft', rating: 1, author: hidden, tags: ['salt, pepper'] });
    await add('book', { title: 'Archived', status: 'archived', rating: 2, imprint: 'Zoe' });
  });

  afterAll(() => service.close());

  describe('pages', () => {
    it('are of 15 by default, the newest first, with the true total', async () => {
      const { body } = await browse('');

      expect(body.meta).toEqual({ total: 6, last_page: 1, per_page: 15, current_page: 1, next_cursor: null });
      expect(body.data[0].title).toBe('Archived');
      expect(body.data[0]).toHaveProperty('body');
    });

    it('past the last one are empty and still know the total', async () => {
      const { status, body } = await browse('page=9&per_page=4');

      expect([status, body.data, body.meta.total, body.meta.last_page]).toEqual([200, [], 6, 2]);
    });

    it('together hold every record once, from either end', async () => {
      const pages = await Promise.all([1, 2, 3].map((page) => titles(`per_page=2&page=${page}&sort=title`)));

      expect(pages.flat()).toEqual(['Archived', 'Birches', 'Draft', 'Dune', 'Emma', 'Unrated']);
    });

    it.each([
      ['per_page=101', 100],
      ['per_page=100', 100],
      ['per_page=1', 1],
    ])('clamp %s to %d', async (query, perPage) => {
      expect((await browse(query)).body.meta.per_page).toBe(perPage);
    });

    it.each([
      'per_page=0',
      'per_page=-1',
      'per_page=1.5',
      'per_page=ten',
      'per_page=',
      'page=0',
      'page=x',
      'page=1e3',
      'page=1&page=2',
      'colour=red',
      'count=maybe',
      'status=lost',
      'sort=notes',
      'sort=tags',
      'fields=nope',
      'expand=rating',
      'expand=author.mentor.mentor',
      'expand=author.nobody',
      'expand=author.title',
      'filter[status]=lost',
      'filter[status][in]=draft,lost',
      'filter[notes]=x',
      'filter[rating][like]=3',
      'filter[rating]=three',
      'filter[title][gte',
      'filter[released][gt]=soon',
      'filter[loved]=constructor',
      'filter[rating]=1e400',
      'filter[rating]=9007199254740993',
      'cursor=x&page=2',
    ])('answer 400 invalid_query to %s', async (query) => {
      const { status, body } = await browse(query);

      expect([status, body.error]).toEqual([400, 'invalid_query']);
    });

    it('are not counted with count=none', async () => {
      const { body } = await browse('count=none&per_page=2');

      expect(body.meta).toEqual({ per_page: 2, current_page: 1, next_cursor: expect.any(String) });
    });
  });

  describe('cursors', () => {
    it.each([
      'sort=title',
      'sort=-title',
      'sort=rating',
      'sort=-rating,title',
      'sort=-published_at',
      'sort=released',
      'sort=imprint',
      'sort=-imprint,title',
      'sort=genre,-rating',
      'sort=id',
      '',
    ])('walk the whole list in the order of its pages: %s', async (sort) => {
      const whole = await titles(`${sort}&per_page=100`);
      const walked: string[] = [];
      for (let cursor: string | null = '', n = 0; cursor !== null && n < 10; n += 1) {
        const { body } = await browse(`${sort}&per_page=2&count=none${cursor && `&cursor=${cursor}`}`);
        walked.push(...(body.data as Shown[]).map(({ title }) => title));
        cursor = body.meta.next_cursor;
      }

      expect(walked).toEqual(whole);
    });

    it('are refused for another list and when they are junk', async () => {
      const { body } = await browse('sort=title&per_page=2');

      for (const query of [
        `sort=-title&cursor=${body.meta.next_cursor}`,
        'cursor=junk',
        'cursor=%00',
        `cursor=${Buffer.from('["x",1,{}]').toString('base64url')}`,
      ]) {
        const answer = await browse(query);
        expect([answer.status, answer.body.error]).toEqual([400, 'invalid_cursor']);
      }
    });

    it('know their page and the total', async () => {
      const { body } = await browse('per_page=2');
      const next = await browse(`per_page=2&cursor=${body.meta.next_cursor}`);

      expect(next.body.meta).toMatchObject({ current_page: 2, total: 6 });
    });
  });

  describe('status', () => {
    it.each([
      ['published', ['Birches', 'Dune', 'Emma', 'Unrated']],
      ['draft', ['Draft']],
      ['draft,archived', ['Archived', 'Draft']],
    ])('%s restricts the list and its total', async (status, expected) => {
      const { body } = await browse(`status=${status}&sort=title`);

      expect((body.data as Shown[]).map(({ title }) => title)).toEqual(expected);
      expect(body.meta.total).toBe(expected.length);
    });

    it('other than published does not exist for a caller without drafts:read', async () => {
      const all = await browse('sort=title', TOKENS.reader);
      const drafts = await browse('status=draft', TOKENS.reader);

      expect((all.body.data as Shown[]).map(({ title }) => title)).toEqual(['Birches', 'Dune', 'Emma', 'Unrated']);
      expect(all.body.meta.total).toBe(4);
      expect([drafts.status, drafts.body.data, drafts.body.meta.total]).toEqual([200, [], 0]);
    });
  });

  describe('sort', () => {
    it.each([
      ['rating', ['Unrated', 'Draft', 'Archived', 'Dune', 'Birches', 'Emma']],
      ['-rating', ['Emma', 'Birches', 'Dune', 'Archived', 'Draft', 'Unrated']],
      ['genre,-rating', ['Archived', 'Draft', 'Unrated', 'Emma', 'Dune', 'Birches']],
      ['-title', ['Unrated', 'Emma', 'Dune', 'Draft', 'Birches', 'Archived']],
      ['imprint', ['Draft', 'Unrated', 'Dune', 'Emma', 'Birches', 'Archived']],
      ['-imprint', ['Archived', 'Birches', 'Emma', 'Dune', 'Unrated', 'Draft']],
      ['id', ['Emma', 'Dune', 'Birches', 'Unrated', 'Draft', 'Archived']],
    ])('by %s', async (sort, expected) => {
      expect(await titles(`sort=${sort}`)).toEqual(expected);
    });
  });

  describe('filter', () => {
    it.each([
      ['filter[rating]=5', ['Emma']],
      ['filter[rating][ne]=5&status=published', ['Birches', 'Dune', 'Unrated']],
      ['filter[rating][gte]=3&filter[rating][lt]=5', ['Birches', 'Dune']],
      ['filter[rating][lte]=2', ['Archived', 'Draft']],
      ['filter[rating][gt]=4', ['Emma']],
      ['filter[rating][in]=3,4', ['Birches', 'Dune']],
      ['filter[rating][nin]=1,2,3,4', ['Emma', 'Unrated']],
      ['filter[rating][exists]=false', ['Unrated']],
      ['filter[loved][exists]=true', ['Dune', 'Emma']],
      ['filter[loved]=false', ['Dune']],
      ['filter[genre]=poetry', ['Birches']],
      ['filter[genre][starts]=po', ['Birches']],
      ['filter[genre][contains]=ove', ['Dune', 'Emma']],
      ['filter[tags]=old', ['Birches', 'Emma']],
      ['filter[tags][in]=old,love,sand', ['Birches', 'Dune', 'Emma']],
      ['filter[released][lt]=1900-01-01', ['Emma']],
      ['filter[title][contains]=un', ['Dune']],
      ['filter[title][starts]=D', ['Draft', 'Dune']],
      ['filter[title][starts]=Emma%20', []],
      ['filter[tags][starts]=san', ['Dune']],
      ['filter[tags][starts]=two', ['Birches']],
      ['filter[tags][starts]=two%20', []],
      ['filter[title]=Emma', ['Emma']],
      ['filter[title]=Emma%20', ['Emma']],
      ['filter[title][contains]=Emma%20', []],
      ['filter[rating]=4.9999999999999991', []],
      ['filter[slug][in]=emma,dune', ['Dune', 'Emma']],
      ['filter[tags][in]=sand\\,grain,old', ['Birches', 'Emma']],
      ['filter[tags][in]=salt\\, pepper', ['Draft']],
      ['filter[rating][exists]=true&status=draft&status=archived', ['Archived', 'Draft']],
      ['sort=genre&sort=-rating&filter[rating][gte]=3', ['Emma', 'Dune', 'Birches']],
      ['filter[status][ne]=published', ['Archived', 'Draft']],
      ['filter[published_at][exists]=false', ['Archived', 'Draft']],
      ['filter[created_at][gt]=2999-01-01T00:00:00Z', []],
      ['filter[version]=1&filter[locale]=en&filter[genre]=novel', ['Dune', 'Emma']],
      ["filter[title]=x' OR 1=1 --", []],
    ])('%s', async (query, expected) => {
      const { body } = await browse(query.includes('sort=') ? query : `${query}&sort=title`);

      expect((body.data as Shown[]).map(({ title }) => title)).toEqual(expected);
      expect(body.meta.total).toBe(expected.length);
    });

    it('by the id of a relation', async () => {
      expect(await titles(`filter[author]=${ids.get('Ana')}&sort=title`)).toEqual(['Dune', 'Emma']);
      expect(await titles(`filter[author][exists]=false&status=published&sort=title`)).toEqual(['Birches', 'Unrated']);
    });
  });

  describe('fields and expand', () => {
    it.each(['fields=title,rating', 'fields=title&fields=rating'])('shows only the fields of %s', async (fields) => {
      const { body } = await browse(`${fields}&sort=title&status=published`);

      expect(body.data[0]).toEqual({ title: 'Birches', rating: 4 });
    });

    it('takes one of them as often as it is sent when a record is read', async () => {
      const { body } = await service
        .http()
        .get('/api/cms/book/slug:emma?fields=title&fields=author&expand=author&expand=author.mentor');

      expect(body.data).toMatchObject({ title: 'Emma', author: { title: 'Ana', mentor: { title: 'Mentor' } } });
    });

    it('puts related records in the place of references, over two levels', async () => {
      const { body } = await browse('filter[title]=Emma&expand=author.mentor');

      const [{ author }] = body.data;
      expect(author).toMatchObject({
        id: ids.get('Ana'),
        title: 'Ana',
        mentor: { title: 'Mentor', mentor: { type: 'person' } },
      });
    });

    it('leaves a reference to what the caller may not see', async () => {
      const { body } = await browse('filter[title]=Draft&expand=author', TOKENS.admin);
      const emma = await service.http(TOKENS.reader).get(`/api/cms/person/${ids.get('Mentor')}?expand=mentor`);

      expect(body.data[0].author.title).toBe('Hidden mentor');
      expect(emma.body.data.mentor).toEqual({ id: ids.get('Hidden mentor'), type: 'person' });
    });
  });

  it('answers 304 when the list is the one the client has', async () => {
    const first = await browse('sort=title');
    const second = await browse('sort=title').set('If-None-Match', first.headers.etag ?? '');

    expect(second.status).toBe(304);
  });
});
