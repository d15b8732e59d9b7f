import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';
import { taxonomyRequests } from '../support/taxonomy-requests.js';
import { faultsOf } from '../support/type-requests.js';

describe('Taxonomy', () => {
  let service: TestApp;
  const { path, create, aTaxonomy, aTerm, pathsOf } = taxonomyRequests(() => service);

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(() => service.close());

  describe('GET /api/cms/taxonomy/{type}', () => {
    it('lists a tree in its order: siblings by position, then by name without case and marks', async () => {
      const type = await aTaxonomy();
      const news = await aTerm(type, 'news');
      await aTerm(type, 'Zebra', { position: 0 });
      await aTerm(type, 'about', { position: 1 });
      await aTerm(type, 'Éire', { parent_id: news.id });
      await aTerm(type, 'East', { parent_id: news.id });
      await aTerm(type, 'Far', { parent_id: news.id });
      await aTerm(type, 'news desk');

      const paths = await pathsOf(type);

      expect(paths).toEqual(['news', 'news/east', 'news/eire', 'news/far', 'news-desk', 'zebra', 'about']);
    });

    it('has all that there is to know about a term', async () => {
      const type = await aTaxonomy();
      const parent = await aTerm(type, 'Parent');
      await aTerm(type, 'Child', { parent_id: parent.id, description: 'Small.', position: 3 });

      const { body, headers } = await service.http().get(path(type)).expect(200);

      expect(body.meta).toEqual({ total: 2, per_page: 1000, current_page: 1, last_page: 1, hierarchical: true });
      expect(headers.etag).toBeDefined();
      expect(body.data[1]).toEqual({
        id: expect.any(Number),
        type,
        name: 'Child',
        slug: 'child',
        description: 'Small.',
        parent_id: parent.id,
        path: 'parent/child',
        depth: 2,
        position: 3,
        count: 0,
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      });
    });

    it('finds terms by how their name begins, whatever the case and the marks', async () => {
      const type = await aTaxonomy(false);
      for (const name of ['Éclair', 'eclipse', 'Element', 'Ünder', '日本語']) await aTerm(type, name);

      expect(await pathsOf(type, '?q=ECL')).toEqual(['eclair', 'eclipse']);
      expect(await pathsOf(type, `?q=${encodeURIComponent(' écl ')}`)).toEqual(['eclair', 'eclipse']);
      expect(await pathsOf(type, `?q=${encodeURIComponent('日')}`)).toEqual(['日本語']);
      expect(await pathsOf(type, '?q=%25')).toEqual([]);
      expect(await pathsOf(type, '?q=')).toHaveLength(5);
    });

    it('finds terms by any part of their names: the very name first, then beginnings, then words', async () => {
      const type = await aTaxonomy(false);
      await aTerm(type, 'Moon', { position: 9 });
      for (const name of ['Blue-moon', 'Full Moón', 'Honeymoon', 'moonlight', 'Sun']) await aTerm(type, name);
      const ordered = ['moon', 'moonlight', 'full-moon', 'blue-moon', 'honeymoon'];

      expect(await pathsOf(type, `?contains=${encodeURIComponent('MOÓN')}`)).toEqual(ordered);
      expect(await pathsOf(type, '?contains=moon&per_page=2&page=2')).toEqual(['full-moon', 'blue-moon']);
      expect(await pathsOf(type, '?contains=moon&q=full')).toEqual(['full-moon']);
      expect(await pathsOf(type, '?contains=%25')).toEqual([]);
      expect(await pathsOf(type, '?contains=')).toHaveLength(6);
    });

    it('puts terms into one another in the form of a tree', async () => {
      const type = await aTaxonomy();
      const a = await aTerm(type, 'a');
      const b = await aTerm(type, 'b', { parent_id: a.id });
      await aTerm(type, 'c', { parent_id: b.id });
      await aTerm(type, 'd');

      const { body } = await service
        .http()
        .get(`${path(type)}?format=tree`)
        .expect(200);

      expect(body.data).toMatchObject([
        { slug: 'a', children: [{ slug: 'b', children: [{ slug: 'c', children: [] }] }] },
        { slug: 'd', children: [] },
      ]);
      expect(body.meta.total).toBe(4);
    });

    it('has more terms in a tree than are read at once, each of them once', async () => {
      const type = await aTaxonomy();
      const numbers = Array.from({ length: 2_345 }, (_, n) => n);
      await service.app.get(UnitOfWork).run(async (manager) => {
        for (let start = 0; start < numbers.length; start += 500) {
          const rows = numbers.slice(start, start + 500).map((n) => {
            const name = `t${String(n).padStart(4, '0')}`;
            return `('${type}', '${name}', '${name}', '${name}', '${name}', '${name}!', 0, 1, 1, 1)`;
          });
          await manager.query(
            `INSERT INTO terms (taxonomy, slug, name, name_key, path, sort_key, position, depth, created_at, updated_at)
             VALUES ${rows.join()}`,
          );
        }
      });

      const { body } = await service
        .http()
        .get(`${path(type)}?format=tree`)
        .expect(200);

      const slugs = (body.data as { slug: string }[]).map(({ slug }) => slug);
      expect(slugs).toEqual(numbers.map((n) => `t${String(n).padStart(4, '0')}`));
      expect(body.meta.total).toBe(numbers.length);
    });

    it('has pages, of up to 1000 terms', async () => {
      const type = await aTaxonomy(false);
      for (const name of ['a', 'b', 'c']) await aTerm(type, name);

      const second = await service.http().get(`${path(type)}?per_page=2&page=2`);
      const behind = await service.http().get(`${path(type)}?page=7`);
      const clamped = await service.http().get(`${path(type)}?per_page=1001`);

      expect(second.body.data).toMatchObject([{ slug: 'c' }]);
      expect(second.body.meta).toEqual({ total: 3, per_page: 2, current_page: 2, last_page: 2, hierarchical: false });
      expect([behind.body.data, behind.body.meta.total]).toEqual([[], 3]);
      expect(clamped.body.meta.per_page).toBe(1000);
    });

    it.each([
      ['per_page=0', 'per_page: integer'],
      ['page=x', 'page: integer'],
      ['format=list', 'format: enum'],
      ['format=tree&page=1', 'page: exclusive'],
      ['colour=red', 'colour: unknown'],
      ['format=tree&contains=x', 'contains: exclusive'],
      [`q=${'x'.repeat(256)}`, 'q: max_length'],
      [`contains=${'x'.repeat(256)}`, 'contains: max_length'],
    ])('refuses ?%s', async (query, fault) => {
      const answer = await service.http().get(`${path('category')}?${query}`);

      expect([answer.status, faultsOf(answer)]).toEqual([400, [fault]]);
    });

    it('answers 304 until a term changes', async () => {
      const type = await aTaxonomy();
      const { id } = await aTerm(type, 'Before');
      const { headers } = await service.http().get(path(type));
      const again = () => service.http().get(path(type)).set('If-None-Match', String(headers.etag));

      expect((await again()).status).toBe(304);
      await service
        .http()
        .put(`${path(type)}/${id}`)
        .send({ name: 'After' })
        .expect(200);
      expect((await again()).status).toBe(200);
    });

    it('needs records:read for all types: a scope for one type says nothing about terms', async () => {
      const { body } = await service
        .http()
        .post('/api/admin/tokens')
        .send({ name: 'narrow', scopes: ['records:read:category'] });

      await service.http(body.data.token).get(path('category')).expect(403);
      await service.http(TOKENS.reader).get(path('category')).expect(200);
      await service.anonymous().get(path('category')).expect(401);
    });
  });

  describe('POST /api/cms/taxonomy', () => {
    it('answers 201 with the place of the new term', async () => {
      const { status, headers, body } = await create({ type: 'category', name: ' World news ' });

      expect(status).toBe(201);
      expect(headers.location).toBe(`${path('category')}/${body.data.id}`);
      expect(body.data).toMatchObject({ name: 'World news', slug: 'world-news', path: 'world-news', depth: 1 });
      await service.http().get(String(headers.location)).expect(200);
      await service
        .http()
        .get(`${path('category')}/slug:world-news`)
        .expect(200);
    });

    it.each([
      ['日本語', '日本語'],
      ['日本 travel', '日本-travel'],
      ['C++', 'c-plus-plus'],
      ['Ελλάδα', 'ellada'],
      ['x'.repeat(255), 'x'.repeat(191)],
      ['🎉', expect.stringMatching(/^term-[0-9a-f]{8}$/)],
    ])('makes a slug of the name %s', async (name, slug) => {
      const { status, body } = await create({ type: 'tag', name });

      expect([status, body.data.name, body.data.slug]).toEqual([201, name, slug]);
      expect((await service.http().get(`${path('tag')}/${encodeURIComponent(`slug:${body.data.slug}`)}`)).status).toBe(
        200,
      );
    });

    it('answers 409 when the slug is taken, be it sent or made from the name', async () => {
      const type = await aTaxonomy();
      await aTerm(type, 'News');

      for (const body of [
        { type, name: 'NEWS' },
        { type, name: 'Other', slug: 'news' },
      ]) {
        const answer = await create(body);
        expect([answer.status, answer.body.error]).toEqual([409, 'term_exists']);
        expect(answer.body.message).toBe(`The ${type} "news" already exists.`);
      }
    });

    it('takes one slug in two taxonomies', async () => {
      await aTerm(await aTaxonomy(), 'Same');
      await aTerm(await aTaxonomy(), 'Same');
    });

    it('lets one of many win who create the same term together', async () => {
      const type = await aTaxonomy();

      const answers = await Promise.all(Array.from({ length: 20 }, () => create({ type, name: 'Race' })));

      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(409)]);
      expect(await pathsOf(type)).toEqual(['race']);
    });

    it('reports all faults at once', async () => {
      const type = await aTaxonomy(false);

      const answer = await create({ type, name: ' ', slug: 'No Slug', position: -1, parent_id: 1, id: 7, x: 1 });

      expect(answer.status).toBe(422);
      expect(faultsOf(answer).sort()).toEqual([
        'id: read_only',
        'name: required',
        'parent_id: not_applicable',
        'position: min',
        'slug: pattern',
        'x: unknown',
      ]);
    });

    it('names the taxonomies that there are when it does not know one', async () => {
      const answer = await create({ type: 'nothing', name: '' });

      expect([answer.status, faultsOf(answer)]).toEqual([422, ['name: required', 'type: taxonomy_not_found']]);
      expect(answer.body.message).toContain('category, ');
    });

    it.each([
      [[], ': type'],
      [{ type: 'constructor', name: 'x' }, 'type: taxonomy_not_found'],
      [{ type: '__proto__', name: 'x' }, 'type: taxonomy_not_found'],
      [{ type: 7, name: 'x' }, 'type: type'],
      [{ type: 'category' }, 'name: required'],
      [{ type: 'category', name: 'x'.repeat(256) }, 'name: max_length'],
      [{ type: 'category', name: 'a\nb' }, 'name: pattern'],
      [{ type: 'category', name: 'a\u0000b' }, 'name: nul'],
      [{ type: 'category', name: '\ud800' }, 'name: unicode'],
      [{ type: 'category', name: 'x', slug: 'x'.repeat(192) }, 'slug: max_length'],
      [{ type: 'category', name: 'x', slug: 'x ' }, 'slug: pattern'],
      [{ type: 'category', name: 'x', slug: null }, 'slug: required'],
      [{ type: 'category', name: 'x', parent_id: 987654 }, 'parent_id: term_not_found'],
      [{ type: 'category', name: 'x', parent_id: 'news' }, 'parent_id: type'],
      [{ type: 'category', name: 'x', position: 1.5 }, 'position: type'],
      [{ type: 'category', name: 'x', position: 1e12 }, 'position: max'],
    ])('refuses %j', async (body, fault) => {
      const answer = await service
        .http()
        .post('/api/cms/taxonomy')
        .set('Content-Type', 'application/json')
        .send(JSON.stringify(body));

      expect([answer.status, faultsOf(answer)]).toEqual([422, [fault]]);
    });

    it('takes a tree of 10 levels and not of 11', async () => {
      const type = await aTaxonomy();
      let parent: number | null = null;
      for (let level = 1; level <= 10; level += 1) {
        parent = (await aTerm(type, `Level ${level} ${'x'.repeat(200)}`, { parent_id: parent })).id;
      }

      const answer = await create({ type, name: 'Level 11', parent_id: parent });

      expect([answer.status, faultsOf(answer)]).toEqual([422, ['parent_id: depth']]);
      expect((await pathsOf(type)).at(-1)?.split('/')).toHaveLength(10);
    });

    it('does not take a term of another taxonomy for a parent', async () => {
      const [type, other] = [await aTaxonomy(), await aTaxonomy()];
      const { id } = await aTerm(other, 'Elsewhere');

      expect(faultsOf(await create({ type, name: 'x', parent_id: id }))).toEqual(['parent_id: term_not_found']);
    });

    it('needs the scope taxonomy:write', async () => {
      const { status, body } = await create({ type: 'category', name: 'x' }, TOKENS.editor);

      expect([status, body.details]).toEqual([403, [{ scope: 'taxonomy:write' }]]);
    });
  });
});
