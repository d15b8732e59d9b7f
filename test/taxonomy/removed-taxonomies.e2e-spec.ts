import { TypeJobs } from '../../src/content-types/changes/type-jobs.js';
import { KnownTaxonomiesHost } from '../../src/content-types/store/known-taxonomies.port.js';
import { Dialect } from '../../src/database/dialect/dialect.js';
import { Reads } from '../../src/database/statements/reads.js';
import { TermRewrites } from '../../src/records/terms/term-rewrites.js';
import { copyRequests } from '../support/copy-requests.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('A taxonomy that a content type no longer has', () => {
  let service: TestApp;
  let last = 0;

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  const http = () => service.http();

  /** A type with a taxonomy of its own, and a published record that has a term of it. */
  async function aTaggedType() {
    const n = ++last;
    const [type, mood, word] = [`moody-${n}`, `mood-${n}`, `sadness${n}`];
    await http().post('/api/admin/taxonomies').send({ name: mood, hierarchical: false }).expect(201);
    await http()
      .post('/api/admin/types')
      .send({ name: type, taxonomies: [mood, 'tag'] })
      .expect(201);
    const record = await aRecord(type, { [mood]: [word], tag: ['kept'] });
    return { type, mood, word, record };
  }

  async function aRecord(type: string, terms: object): Promise<number> {
    const body = { title: 'A record', status: 'published', terms };
    const answer = await http().post(`/api/cms/${type}`).send(body).expect(201);
    return answer.body.data.id as number;
  }

  const declare = (type: string, taxonomies: string[], query = '') =>
    http().put(`/api/admin/types/${type}${query}`).send({ taxonomies });
  const total = async (path: string): Promise<number> => (await http().get(path).expect(200)).body.meta.total as number;
  const read = async (type: string, id: number) => (await http().get(`/api/cms/${type}/${id}`).expect(200)).body.data;
  const left = (type: number): Promise<unknown[]> =>
    service.app.get(Reads).select(`SELECT id FROM type_departures WHERE type_id = ?`, [type]);
  const typeId = async (type: string): Promise<number> =>
    Number(
      (await service.app.get(Reads).select<{ id: number }>('SELECT id FROM content_types WHERE name = ?', [type]))[0]
        ?.id,
    );

  function failOnce(): void {
    const taxonomies = service.app.get(KnownTaxonomiesHost).get();
    jest.spyOn(taxonomies, 'withdraw').mockRejectedValueOnce(new Error('The power fails.'));
  }

  it('leaves nothing behind: no row of the index, no count, no word in the search', async () => {
    const { type, mood, word, record } = await aTaggedType();
    expect(await total(`/api/cms/search?q=${word}`)).toBe(1);

    await declare(type, ['tag'], `?confirm=${type}`).expect(200);

    const [contents] = await service.app
      .get(Reads)
      .select<{ terms: string }>('SELECT terms FROM record_contents WHERE record_id = ?', [record]);
    expect(Object.keys(JSON.parse(contents?.terms ?? '') as object)).toEqual(['tag']);
    expect(await total(`/api/cms/search?q=${word}`)).toBe(0);
    expect((await http().get(`/api/cms/taxonomy/${mood}/slug:${word}`)).body.data.count).toBe(0);
    expect(await read(type, record)).toMatchObject({ version: 2, terms: { tag: [{ slug: 'kept' }] } });
    expect(await left(await typeId(type))).toEqual([]);
  });

  it('finds no record by it when the type has it again, and its terms can be assigned anew', async () => {
    const { type, mood, word, record } = await aTaggedType();
    await declare(type, ['tag'], `?confirm=${type}`).expect(200);

    await declare(type, ['tag', mood]).expect(200);

    expect(await total(`/api/cms/${type}?filter[${mood}][exists]=true`)).toBe(0);
    expect((await read(type, record)).terms[mood]).toEqual([]);
    await http()
      .put(`/api/cms/${type}/${record}`)
      .send({ terms: { [mood]: [word] } })
      .expect(200);
    expect(await total(`/api/cms/${type}?filter[${mood}]=${word}`)).toBe(1);
  });

  it('can be deleted', async () => {
    const { type, mood, record } = await aTaggedType();
    await declare(type, [], `?confirm=${type}`).expect(200);

    await http().delete(`/api/admin/taxonomies/${mood}?confirm=${mood}`).expect(204);

    expect((await read(type, record)).terms).toEqual({});
  });

  it('keeps its terms on records of other types', async () => {
    const { type, mood, word } = await aTaggedType();
    const other = `${type}-other`;
    await http()
      .post('/api/admin/types')
      .send({ name: other, taxonomies: [mood] })
      .expect(201);
    const record = await aRecord(other, { [mood]: [word] });

    await declare(type, [], `?confirm=${type}`).expect(200);

    expect((await read(other, record)).terms).toMatchObject({ [mood]: [{ slug: word }] });
  });

  it('does not come back with a record out of the trash', async () => {
    const { type, mood, record } = await aTaggedType();
    await http().delete(`/api/cms/${type}/${record}`).expect(204);
    await declare(type, ['tag'], `?confirm=${type}`).expect(200);

    await http().post(`/api/cms/${type}/${record}/restore`).expect(200);

    await declare(type, ['tag', mood]).expect(200);
    expect(await total(`/api/cms/${type}?filter[${mood}][exists]=true`)).toBe(0);
    expect((await read(type, record)).terms).toMatchObject({ [mood]: [], tag: [{ slug: 'kept' }] });
  });

  it('does not come back with a working copy, and one that changes nothing else goes', async () => {
    const { type, mood, record } = await aTaggedType();
    const { save, read: readCopy, draftOf } = copyRequests(() => service);
    const other = await aRecord(type, {});
    await save(`${type}/${record}`, { title: 'Changed', terms: { [mood]: ['Never made'] } });
    await save(`${type}/${other}`, { terms: { [mood]: ['Never made'] } });

    await declare(type, ['tag'], `?confirm=${type}`).expect(200);
    await declare(type, ['tag', mood]).expect(200);

    expect(await draftOf(`${type}/${record}`)).toMatchObject({ changed: ['title'], conflicts: [], new_terms: {} });
    expect((await readCopy(`${type}/${other}`)).body.error).toBe('draft_not_found');
    expect(await total(`/api/cms/-/drafts?type=${type}`)).toBe(1);
  });

  it('is taken away before the type is changed again, when that was interrupted', async () => {
    const { type, mood, record } = await aTaggedType();
    failOnce();
    await declare(type, ['tag'], `?confirm=${type}`).expect(503);
    expect(await left(await typeId(type))).toHaveLength(1);

    await declare(type, ['tag', mood]).expect(200);

    expect((await read(type, record)).terms[mood]).toEqual([]);
    expect(await left(await typeId(type))).toEqual([]);
  });

  it('is taken away at the next start, when that was interrupted', async () => {
    const { type, word } = await aTaggedType();
    failOnce();
    await declare(type, ['tag'], `?confirm=${type}`).expect(503);
    expect(await total(`/api/cms/search?q=${word}`)).toBe(1);

    await service.app.get(TypeJobs).resumeWithdrawals();

    expect(await left(await typeId(type))).toEqual([]);
    expect(await total(`/api/cms/search?q=${word}`)).toBe(0);
  });

  describe('and whose terms many records have', () => {
    /** Counts the records that are rewritten at once. */
    function watchRewrites(failing: number): { underWay: number; most: number } {
      const rewrites = service.app.get(TermRewrites);
      const rewrite = rewrites.rewrite.bind(rewrites);
      const seen = { underWay: 0, most: 0 };
      let calls = 0;
      jest.spyOn(rewrites, 'rewrite').mockImplementation(async (...args) => {
        seen.underWay += 1;
        seen.most = Math.max(seen.most, seen.underWay);
        try {
          calls += 1;
          if (calls === failing) throw new Error('The power fails.');
          await rewrite(...args);
        } finally {
          seen.underWay -= 1;
        }
      });
      return seen;
    }

    async function aTypeWith(records: number) {
      const { type, mood, word } = await aTaggedType();
      for (let n = 1; n < records; n += 1) await aRecord(type, { [mood]: [word] });
      return { type, mood };
    }

    it('is taken away from several of them at a time', async () => {
      const { type, mood } = await aTypeWith(20);
      const seen = watchRewrites(Infinity);

      await declare(type, [], `?confirm=${type}`).expect(200);

      expect(seen.most).toBe(service.app.get(Dialect).hasOneWriter ? 16 : 4);
      await declare(type, [mood]).expect(200);
      expect(await total(`/api/cms/${type}?filter[${mood}][exists]=true`)).toBe(0);
    });

    it('is rewriting none of them any more when it answers that one has failed', async () => {
      const { type } = await aTypeWith(4);
      const seen = watchRewrites(2);

      await declare(type, [], `?confirm=${type}`).expect(503);

      expect(seen).toEqual({ underWay: 0, most: 3 });
    });
  });
});
