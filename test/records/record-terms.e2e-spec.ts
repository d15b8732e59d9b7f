import { DataSource } from 'typeorm';
import { Reads } from '../../src/database/statements/reads.js';
import { execute } from '../../src/database/statements/statement.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

interface TermView {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
}
interface PostView {
  readonly id: number;
  readonly version: number;
  readonly terms: Readonly<Record<string, readonly TermView[]>>;
}

describe('Terms of records', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp();
  });
  afterAll(() => test.close());

  const category = async (name: string, parentId?: number): Promise<number> => {
    const body = { type: 'category', name, ...(parentId === undefined ? {} : { parent_id: parentId }) };
    const answer = await test.http().post('/api/cms/taxonomy').send(body).expect(201);
    return (answer.body as { data: { id: number } }).data.id;
  };
  const create = async (body: object): Promise<PostView> => {
    const answer = await test
      .http()
      .post('/api/cms/post')
      .send({ title: 'A post', ...body })
      .expect(201);
    return (answer.body as { data: PostView }).data;
  };
  const change = async (id: number, body: object, status = 200): Promise<PostView> => {
    const answer = await test.http().put(`/api/cms/post/${id}`).send(body).expect(status);
    return (answer.body as { data: PostView }).data;
  };
  const read = async (id: number): Promise<PostView> => {
    const answer = await test.http().get(`/api/cms/post/${id}`).expect(200);
    return (answer.body as { data: PostView }).data;
  };
  const found = async (query: string, token?: string): Promise<number[]> => {
    const answer = await test.http(token).get(`/api/cms/post?sort=id&${query}`).expect(200);
    const { data, meta } = answer.body as { data: { id: number }[]; meta: { total: number } };
    expect(meta.total).toBe(data.length);
    return data.map(({ id }) => id);
  };
  const countOf = async (taxonomy: string, slug: string, token?: string): Promise<number> => {
    const answer = await test.http(token).get(`/api/cms/taxonomy/${taxonomy}/slug:${slug}`).expect(200);
    return (answer.body as { data: { count: number } }).data.count;
  };
  const slugs = (terms: readonly TermView[] | undefined) => terms?.map(({ slug }) => slug);

  describe('POST /api/cms/{type}', () => {
    it('takes terms by id and by slug, in their order, and makes tags that are new', async () => {
      const world = await category('World');
      const post = await create({ terms: { category: [world], tag: ['Zebra stripes', 'ant', 'zebra-stripes'] } });

      expect(post.terms).toEqual({
        category: [{ id: world, slug: 'world', name: 'World' }],
        tag: [
          { id: expect.any(Number) as number, slug: 'zebra-stripes', name: 'Zebra stripes' },
          { id: expect.any(Number) as number, slug: 'ant', name: 'ant' },
        ],
      });
      expect(await read(post.id)).toEqual(post);
    });

    it('refuses categories that do not exist, and leaves no record and no tag behind', async () => {
      const body = { title: 'Nowhere', slug: 'nowhere', terms: { category: ['no-such', 999_999], tag: ['left-over'] } };
      const { body: error } = await test.http().post('/api/cms/post').send(body).expect(422);

      expect(error).toMatchObject({
        error: 'validation_failed',
        details: [{ field: 'terms.category.0' }, { field: 'terms.category.1' }],
      });
      await test.http().get('/api/cms/post/slug:nowhere').expect(404);
      await test.http().get('/api/cms/taxonomy/tag/slug:left-over').expect(404);
    });

    it.each([
      [{ colour: ['red'] }, 'terms.colour'],
      [{ tag: 'red' }, 'terms.tag'],
      [{ tag: [''] }, 'terms.tag.0'],
      [{ tag: [{ id: 1 }] }, 'terms.tag.0'],
      [{ tag: [1.5] }, 'terms.tag.0'],
      [{ tag: Array.from({ length: 50_000 }, (_, n) => `t${n}`) }, 'terms.tag'],
      ['tag', 'terms'],
    ])('refuses terms %#', async (terms, field) => {
      const { body } = await test.http().post('/api/cms/post').send({ title: 'x', terms }).expect(422);
      expect((body as { details: { field: string }[] }).details.map((fault) => fault.field)).toContain(field);
    });

    it('takes digits for a slug first when they are a text, and for an id first when they are a number', async () => {
      const first = (await create({ terms: { tag: ['digits'] } })).terms.tag?.[0]?.id ?? 0;
      await test
        .http()
        .post('/api/cms/taxonomy')
        .send({ type: 'tag', name: String(first) })
        .expect(201);

      expect(slugs((await create({ terms: { tag: [String(first)] } })).terms.tag)).toEqual([String(first)]);
      expect(slugs((await create({ terms: { tag: [first] } })).terms.tag)).toEqual(['digits']);
    });

    it('gives one tag to two records that name it at the same moment', async () => {
      const posts = await Promise.all(Array.from({ length: 12 }, () => create({ terms: { tag: ['brand-new'] } })));
      expect(new Set(posts.map(({ terms }) => terms.tag?.[0]?.id)).size).toBe(1);
      expect(await countOf('tag', 'brand-new')).toBe(12);
    });
  });

  describe('PUT /api/cms/{type}/{id}', () => {
    it('leaves taxonomies alone that are not named, and clears one with null or an empty list', async () => {
      const { id } = await create({ terms: { category: [await category('Kept')], tag: ['a1', 'b1'] } });

      expect(slugs((await change(id, { title: 'New title' })).terms.tag)).toEqual(['a1', 'b1']);
      expect(slugs((await change(id, { terms: { tag: ['b1'] } })).terms.tag)).toEqual(['b1']);
      const cleared = await change(id, { terms: { tag: null } });
      expect([slugs(cleared.terms.tag), slugs(cleared.terms.category)]).toEqual([[], ['kept']]);
      expect((await change(id, { terms: null })).terms).toEqual({ category: [], tag: [] });
    });

    it('writes nothing when the terms are those it has', async () => {
      const { id, version } = await create({ terms: { tag: ['same'] } });
      expect((await change(id, { terms: { tag: ['same'] } })).version).toBe(version);
      expect((await change(id, { terms: { tag: ['other', 'same'] } })).version).toBe(version + 1);
      expect((await change(id, { terms: { tag: ['same', 'other'] } })).version).toBe(version + 2);
    });
  });

  describe('GET /api/cms/{type}?filter[taxonomy]', () => {
    it('finds records by a term, by one of several, without one, and below one', async () => {
      const sport = await category('Sport');
      const football = await category('Football', sport);
      const { id: a } = await create({ terms: { category: [sport], tag: ['f-red'] } });
      const { id: b } = await create({ terms: { category: [football], tag: ['f-red', 'f-blue'] } });
      const { id: c } = await create({ terms: { tag: ['f-blue'] } });

      expect(await found('filter[category]=sport')).toEqual([a]);
      expect(await found(`filter[category]=${football}`)).toEqual([b]);
      expect(await found('filter[category][under]=sport')).toEqual([a, b]);
      expect(await found('filter[tag][in]=f-red,f-blue')).toEqual([a, b, c]);
      expect(await found('filter[tag]=f-red&filter[tag][ne]=f-blue')).toEqual([a]);
      expect(await found('filter[tag][in]=f-red,f-blue&filter[category][exists]=false')).toEqual([c]);
      expect(await found('filter[tag]=f-blue&filter[category][exists]=true')).toEqual([b]);
      expect(await found('filter[tag]=no-such-tag')).toEqual([]);
    });

    it('finds records below a term, however many terms stand there', async () => {
      const many = await category('Many');
      const { id } = await create({ terms: { category: [many] } });
      const [{ key } = { key: '' }] = await test.app
        .get(Reads)
        .select<{ key: string }>('SELECT sort_key AS `key` FROM terms WHERE id = ?', [many]);
      for (let start = 0; start < 40_000; start += 2_000) {
        const rows = Array.from({ length: 2_000 }, (_, at) => [`below-${start + at}`, many, `${key}${start + at}!`]);
        await test.app.get(UnitOfWork).run((manager) =>
          execute(
            manager,
            `INSERT INTO terms (taxonomy, slug, name, name_key, parent_id, position, path, sort_key, depth, created_at, updated_at)
             VALUES ${rows.map(() => "('category', ?, '', '', ?, 0, '', ?, 2, 0, 0)").join(', ')}`,
            rows.flat(),
          ),
        );
      }

      const source = test.app.get(DataSource);
      const { logger } = source;
      const lengths: number[] = [];
      source.logger = Object.assign(Object.create(logger) as typeof logger, {
        logQuery: (sql: string) => lengths.push(sql.length),
      });
      expect(await found(`filter[category][under]=${many}`)).toEqual([id]);
      source.logger = logger;
      expect(Math.max(...lengths)).toBeLessThan(10_000);
    });

    it('refuses operators that mean nothing for terms, and taxonomies that the type has not', async () => {
      for (const query of ['filter[tag][gt]=a', 'filter[tag][contains]=a', 'filter[title][under]=a', 'sort=tag']) {
        await test.http().get(`/api/cms/post?${query}`).expect(400);
      }
      await test.http().get('/api/cms/page?filter[tag]=a').expect(400);
    });
  });

  describe('Counts of terms', () => {
    it('are those of the records that the caller may see', async () => {
      // One that was made by assigning it would be hidden while all of its records are.
      await test.http().post('/api/cms/taxonomy').send({ type: 'tag', name: 'Counted' }).expect(201);
      const { id } = await create({ status: 'published', terms: { tag: ['counted'] } });
      const { id: draft } = await create({ terms: { tag: ['counted'] } });
      expect([await countOf('tag', 'counted'), await countOf('tag', 'counted', TOKENS.reader)]).toEqual([2, 1]);

      await test.http().delete(`/api/cms/post/${draft}`).expect(204);
      await change(id, { status: 'archived' });
      expect([await countOf('tag', 'counted'), await countOf('tag', 'counted', TOKENS.reader)]).toEqual([1, 0]);

      await test.http().post(`/api/cms/post/${draft}/restore`).expect(200);
      await test.http().delete(`/api/cms/post/${id}?permanent=true`).expect(204);
      expect([await countOf('tag', 'counted'), await found('filter[tag]=counted')]).toEqual([1, [draft]]);
    });
  });

  describe('A term that is merged or deleted', () => {
    it('leaves its records with the one it was merged into, as a new version', async () => {
      const { id, version } = await create({ terms: { tag: ['old-name', 'both', 'new-name'] } });
      const { id: trashed } = await create({ terms: { tag: ['old-name'] } });
      await test.http().delete(`/api/cms/post/${trashed}`).expect(204);

      await test.http().post('/api/cms/taxonomy/tag/slug:old-name/merge').send({ into: 'new-name' }).expect(200);

      const merged = await read(id);
      expect([slugs(merged.terms.tag), merged.version]).toEqual([['new-name', 'both'], version + 1]);
      expect(await found('filter[tag]=new-name')).toEqual([id]);
      await test.http().post(`/api/cms/post/${trashed}/restore`).expect(200);
      expect(await found('filter[tag]=new-name')).toEqual([id, trashed]);
      expect(await countOf('tag', 'new-name')).toBe(2);
    });

    it('is not deleted while records hold it, unless that is forced', async () => {
      const { id } = await create({ terms: { tag: ['doomed', 'spared'] } });
      await test.http().delete('/api/cms/taxonomy/tag/slug:doomed').expect(409);
      await test.http().delete('/api/cms/taxonomy/tag/slug:doomed?force=true').expect(204);
      expect(slugs((await read(id)).terms.tag)).toEqual(['spared']);
    });

    it('does not come back with a record that is restored while it is being deleted', async () => {
      const { id } = await create({ slug: 'haunted', terms: { tag: ['ghost'] } });
      await test.http().delete(`/api/cms/post/${id}`).expect(204);
      const unitOfWork = test.app.get(UnitOfWork);
      const run = unitOfWork.run.bind(unitOfWork);
      jest.spyOn(unitOfWork, 'run').mockImplementationOnce(async (work) => {
        await test.http().delete('/api/cms/taxonomy/tag/slug:ghost').expect(204);
        return run(work);
      });

      await test.http().post(`/api/cms/post/${id}/restore`).expect(200);

      expect((await read(id)).terms.tag).toEqual([]);
      expect(await found('filter[slug]=haunted&filter[tag][exists]=true')).toEqual([]);
    });

    it('shows under its new name at once, to those too who hold the record already', async () => {
      const { id } = await create({ terms: { tag: ['misspelt'] } });
      const { headers } = await test.http().get(`/api/cms/post/${id}`).expect(200);
      await new Promise((resolve) => setTimeout(resolve, 5));
      await test.http().put('/api/cms/taxonomy/tag/slug:misspelt').send({ name: 'Spelt well' }).expect(200);

      const again = await test
        .http()
        .get(`/api/cms/post/${id}`)
        .set('If-None-Match', headers.etag ?? '')
        .expect(200);
      expect((again.body as { data: PostView }).data.terms.tag?.[0]?.name).toBe('Spelt well');
    });
  });
});
