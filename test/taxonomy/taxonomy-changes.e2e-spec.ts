import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { execute } from '../../src/database/statements/statement.js';
import { Reads } from '../../src/database/statements/reads.js';
import { PendingRemovals } from '../../src/taxonomy/removal/pending-removals.js';
import { TermListeners } from '../../src/taxonomy/terms/term-listeners.js';
import { TermUsageHost } from '../../src/taxonomy/terms/term-usage.port.js';
import { expectError } from '../support/errors.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';
import { taxonomyRequests } from '../support/taxonomy-requests.js';
import { faultsOf } from '../support/type-requests.js';

describe('Changes of terms', () => {
  let service: TestApp;
  const { path, create, aTaxonomy, aTerm, pathsOf, aRecord } = taxonomyRequests(() => service);

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  const put = (type: string, id: number | string, body: object) =>
    service
      .http()
      .put(`${path(type)}/${id}`)
      .send(body);
  const remove = (type: string, id: number | string) => service.http().delete(`${path(type)}/${id}`);
  const merge = (type: string, id: number | string, into: unknown) =>
    service
      .http()
      .post(`${path(type)}/${id}/merge`)
      .send({ into });
  const termsOf = async (record: number, taxonomy: string): Promise<string[]> => {
    const { body } = await service.http().get(`/api/cms/post/${record}`).expect(200);
    return (body.data.terms[taxonomy] as { slug: string }[]).map(({ slug }) => slug);
  };

  /** a > b > c, and d beside a. */
  async function aTree() {
    const type = await aTaxonomy();
    const a = await aTerm(type, 'a');
    const b = await aTerm(type, 'b', { parent_id: a.id });
    const c = await aTerm(type, 'c', { parent_id: b.id });
    const d = await aTerm(type, 'd');
    return { type, a, b, c, d };
  }

  describe('PUT /api/cms/taxonomy/{type}/{id}', () => {
    it('changes what is sent and leaves the rest', async () => {
      const { type, b, a } = await aTree();

      const { status, body } = await put(type, b.id, { name: 'Bee', description: 'Buzz.' });

      expect(status).toBe(200);
      expect(body.data).toMatchObject({ name: 'Bee', slug: 'b', description: 'Buzz.', parent_id: a.id, path: 'a/b' });
      expect((await put(type, 'slug:b', { description: null })).body.data.description).toBeNull();
    });

    it('moves everything under a term along, and renames it in their paths', async () => {
      const { type, b, d } = await aTree();

      await put(type, b.id, { parent_id: d.id, slug: 'bee' }).expect(200);

      expect(await pathsOf(type)).toEqual(['a', 'd', 'd/bee', 'd/bee/c']);
      await put(type, b.id, { parent_id: null }).expect(200);
      expect(await pathsOf(type)).toEqual(['a', 'bee', 'bee/c', 'd']);
      const { body } = await service.http().get(`${path(type)}/slug:c`);
      expect(body.data.depth).toBe(2);
    });

    it('writes nothing when nothing changes', async () => {
      const { type, a } = await aTree();

      const { body } = await put(type, a.id, { name: 'a', parent_id: null, position: 0 });

      expect(body.data.updated_at).toBe(a.updated_at);
    });

    it('refuses circles, and trees of more than 10 levels', async () => {
      const { type, a, b, c } = await aTree();
      let deep = await aTerm(type, 'deep 1');
      for (let level = 2; level <= 8; level += 1) deep = await aTerm(type, `deep ${level}`, { parent_id: deep.id });

      expect(faultsOf(await put(type, a.id, { parent_id: c.id }))).toEqual(['parent_id: cycle']);
      expect(faultsOf(await put(type, b.id, { parent_id: b.id }))).toEqual(['parent_id: cycle']);
      expect(faultsOf(await put(type, a.id, { parent_id: deep.id }))).toEqual(['parent_id: depth']);
      await put(type, b.id, { parent_id: deep.id }).expect(200);
    });

    it('reports all faults at once', async () => {
      const { type, a, c } = await aTree();

      const answer = await put(type, a.id, { parent_id: c.id, name: null, type: 'x', depth: 3 });

      expect(faultsOf(answer).sort()).toEqual([
        'depth: read_only',
        'name: required',
        'parent_id: cycle',
        'type: read_only',
      ]);
    });

    it('answers 409 when another term has the slug, and 404 to what is no term', async () => {
      const { type, a } = await aTree();

      expect((await put(type, a.id, { slug: 'b' })).body.error).toBe('term_exists');
      for (const id of ['99999', 'slug:nothing', 'x', '-1', 'slug:']) {
        expect([(await put(type, id, {})).status, id]).toEqual([404, id]);
      }
      expect((await put('category', a.id, {})).body.error).toBe('term_not_found');
    });

    it('never makes a circle of moves that come together', async () => {
      for (let round = 0; round < 3; round += 1) {
        const { type, a, d } = await aTree();

        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, at) =>
            at % 2 ? put(type, a.id, { parent_id: d.id }) : put(type, d.id, { parent_id: a.id }),
          ),
        );

        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]));
        expect(await pathsOf(type)).toHaveLength(4);
        expect([['a', 'a/b', 'a/b/c', 'a/d'].join(), ['d', 'd/a', 'd/a/b', 'd/a/b/c'].join()]).toContain(
          (await pathsOf(type)).join(),
        );
      }
    });
  });

  describe('DELETE /api/cms/taxonomy/{type}/{id}', () => {
    it('moves what stands under the term up', async () => {
      const { type, a, b } = await aTree();

      await remove(type, b.id).expect(204);
      expect(await pathsOf(type)).toEqual(['a', 'a/c', 'd']);
      await remove(type, a.id).expect(204);
      expect(await pathsOf(type)).toEqual(['c', 'd']);
      expect((await remove(type, a.id)).body.error).toBe('term_not_found');
    });

    it('keeps a term that records have, unless it is forced', async () => {
      const term = await aTerm('category', 'Kept');
      const record = await aRecord({ category: [term.id] });

      const refused = await remove('category', term.id);
      expect([refused.status, refused.body.error, refused.body.details]).toEqual([
        409,
        'term_in_use',
        [{ records: 1 }],
      ]);
      await remove('category', `${term.id}?force=perhaps`).expect(400);
      await remove('category', `${term.id}?force=true`).expect(204);
      expect(await termsOf(record, 'category')).toEqual([]);
    });

    it('is finished when it is sent again after an interruption', async () => {
      const term = await aTerm('tag', 'Interrupted');
      const record = await aRecord({ tag: ['interrupted'] });
      const usage = service.app.get(TermUsageHost).get();
      jest.spyOn(usage, 'replace').mockRejectedValueOnce(new Error('The power fails.'));

      expectError(await remove('tag', `${term.id}?force=true`), 'outcome_unknown');
      expect(await termsOf(record, 'tag')).toEqual([]);
      await remove('tag', `${term.id}?force=true`).expect(204);
      await remove('tag', `${term.id}?force=true`).expect(404);
      await aTerm('tag', 'Interrupted');
    });
  });

  describe('POST /api/cms/taxonomy/{type}/{id}/merge', () => {
    it('puts one term in the place of another one, in records and in the tree', async () => {
      const [old, target] = [await aTerm('category', 'Old'), await aTerm('category', 'Target')];
      await aTerm('category', 'Under old', { parent_id: old.id });
      const record = await aRecord({ category: ['old'] });

      const { status, body } = await merge('category', old.id, 'target');

      expect([status, body.data.slug, body.data.count]).toEqual([200, 'target', 1]);
      expect(await termsOf(record, 'category')).toEqual(['target']);
      expect(await pathsOf('category', '?q=under')).toEqual(['target/under-old']);
      expect((await service.http().get(`${path('category')}/${old.id}`)).status).toBe(404);
      expect(await termsOf(await aRecord({ category: ['old', old.id] }), 'category')).toEqual(['target']);
      expect((await merge('category', old.id, target.id)).status).toBe(200);
    });

    it('follows one merge after the other', async () => {
      const [a, b, c] = [await aTerm('tag', 'm1'), await aTerm('tag', 'm2'), await aTerm('tag', 'm3')];
      const record = await aRecord({ tag: ['m1'] });

      await merge('tag', a.id, b.id).expect(200);
      await merge('tag', b.id, c.id).expect(200);

      expect(await termsOf(record, 'tag')).toEqual(['m3']);
      expect(await termsOf(await aRecord({ tag: [a.id, 'm1', 'm2'] }), 'tag')).toEqual(['m3']);
    });

    it('gives the slug of a merged term to a term that is created again', async () => {
      const [old] = [await aTerm('tag', 'reborn'), await aTerm('tag', 'reborn target')];
      await merge('tag', old.id, 'reborn-target').expect(200);

      const again = await aTerm('tag', 'reborn');

      expect(await termsOf(await aRecord({ tag: ['reborn'] }), 'tag')).toEqual([again.slug]);
    });

    it('is finished when it is sent again after an interruption', async () => {
      const old = await aTerm('tag', 'halfway');
      await aTerm('tag', 'end');
      const record = await aRecord({ tag: ['halfway'] });
      const usage = service.app.get(TermUsageHost).get();
      jest.spyOn(usage, 'replace').mockRejectedValueOnce(new Error('The power fails.'));

      expectError(await merge('tag', old.id, 'end'), 'outcome_unknown');
      expect(await termsOf(record, 'tag')).toEqual(['end']);
      await merge('tag', old.id, 'm3').expect(404);
      expect((await merge('tag', old.id, 'end')).body.data).toMatchObject({ slug: 'end', count: 1 });
    });

    it('is finished at the next start after an interruption', async () => {
      const old = await aTerm('tag', 'left behind');
      await aTerm('tag', 'arrived');
      await aRecord({ tag: ['left-behind'] });
      jest.spyOn(service.app.get(TermUsageHost).get(), 'replace').mockRejectedValueOnce(new Error('The power fails.'));
      expectError(await merge('tag', old.id, 'arrived'), 'outcome_unknown');
      const count = async (): Promise<number> =>
        (
          await service
            .http()
            .get(`${path('tag')}/slug:arrived`)
            .expect(200)
        ).body.data.count;
      expect(await count()).toBe(0);

      await service.app.get(PendingRemovals).resume();

      expect(await count()).toBe(1);
    });

    it.each([
      [{}, 'into: required'],
      [{ into: true }, 'into: type'],
      [{ into: 'nothing' }, 'into: term_not_found'],
      [{ into: 'a' }, 'into: cycle'],
      [{ into: 'c' }, 'into: cycle'],
      [{ into: 'd', x: 1 }, 'x: unknown'],
    ])('refuses %j for a term that has c under it', async (body, fault) => {
      const { type, a } = await aTree();

      const answer = await service
        .http()
        .post(`${path(type)}/${a.id}/merge`)
        .send(body);

      expect([answer.status, faultsOf(answer)]).toEqual([422, [fault]]);
    });
  });

  it('counts for each caller the records that they may see', async () => {
    const term = await aTerm('category', 'Counted');
    for (const status of ['published', 'draft']) await aRecord({ category: [term.id] }, { status });
    const countFor = async (token: string): Promise<number> =>
      (
        await service
          .http(token)
          .get(`${path('category')}/${term.id}`)
          .expect(200)
      ).body.data.count;

    expect([await countFor(TOKENS.reader), await countFor(TOKENS.editor)]).toEqual([1, 2]);
  });

  it('calls listeners for new names and for terms that are gone, and for nothing else', async () => {
    const { type, a, b, c, d } = await aTree();
    const changed = jest.spyOn(service.app.get(TermListeners), 'changed');

    await put(type, a.id, { description: 'x', position: 1 });
    await put(type, a.id, { name: 'A' });
    await put(type, a.id, { slug: 'aa' });
    await merge(type, c.id, d.id);
    await remove(type, b.id);

    expect(changed.mock.calls.map(([, ids]) => ids)).toEqual([[a.id], [a.id], [c.id], [b.id]]);
  });

  it('lists a thousand terms with their counts in three statements', async () => {
    const type = await aTaxonomy(false);
    await service.app.get(UnitOfWork).run(async (manager) => {
      for (let start = 0; start < 1_001; start += 500) {
        const rows = Array.from(
          { length: 500 },
          (_, at) => `('${type}', 's${start + at}', 'n', 'n', 0, 's', 'k${start + at}', 1, 0, 0)`,
        );
        await execute(
          manager,
          `INSERT INTO terms (taxonomy, slug, name, name_key, position, path, sort_key, depth, created_at, updated_at) VALUES ${rows.join()}`,
        );
      }
    });

    await service.http().get(path(type)).expect(200);
    const select = jest.spyOn(service.app.get(Reads), 'select');
    const first = await service.http().get(path(type)).expect(200);
    // Jobs may read meanwhile, and what types and taxonomies there are is looked up now and then.
    const others =
      /FROM (?:taxonomies|content_types|search_changes|search_jobs|mail_queue|migrations|term_redirects)|MAX\(id\)|\bAS now\b/;
    const statements = select.mock.calls.filter(([sql]) => !others.test(sql));

    expect(statements).toHaveLength(3);

    expect(first.body.data).toHaveLength(1_000);
    expect(first.body.meta).toEqual({
      total: 1_500,
      per_page: 1_000,
      current_page: 1,
      last_page: 2,
      hierarchical: false,
    });
    expect((await create({ type, name: 'S1' })).status).toBe(409);
  });
});
