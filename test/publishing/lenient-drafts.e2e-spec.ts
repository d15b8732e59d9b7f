import { Writer } from '../../src/database/statements/writer.js';
import { copyRequests } from '../support/copy-requests.js';
import { expectError } from '../support/errors.js';
import { Historian } from '../support/historian.js';
import { taxonomyRequests } from '../support/taxonomy-requests.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

const MISSING = [{ field: 'intro', rule: 'required', message: 'intro is required.' }];
const WHOLE = { title: 'Whole', intro: 'There', tags: ['a'] };

describe('What is required of a record', () => {
  let service: TestApp;
  let articles: Historian;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    articles = new Historian(service, 'article');
    await service
      .http()
      .post('/api/admin/types')
      .send({
        name: 'article',
        fields: [
          { name: 'intro', type: 'text', required: true },
          { name: 'tags', type: 'list', of: 'string' },
          { name: 'code', type: 'string', unique: true, pattern: '^[a-z]+$' },
          { name: 'about', type: 'relation', to: ['post'] },
          { name: 'due', type: 'datetime' },
        ],
      })
      .expect(201);
  });
  afterAll(() => service.close());

  const { save, send, read } = copyRequests(() => service);
  const { aTerm, path } = taxonomyRequests(() => service);
  const put = (id: number, body: object) => service.http().put(`/api/cms/article/${id}`).send(body);
  const requireTags = (required: boolean) =>
    service
      .http()
      .put('/api/admin/types/article?confirm=article')
      .send({
        fields: [
          { name: 'intro', type: 'text', required: true },
          { name: 'tags', type: 'list', of: 'string', required },
          { name: 'code', type: 'string', unique: true, pattern: '^[a-z]+$' },
          { name: 'about', type: 'relation', to: ['post'] },
          { name: 'due', type: 'datetime' },
        ],
      })
      .expect(200);

  it('is not asked of drafts, which lack what they lack, and say so to those who read them', async () => {
    const id = await articles.create({ title: 'Half' });
    await put(id, { tags: ['a'] }).expect(200);
    await put(id, { intro: '' }).expect(200);
    await put(id, { intro: null }).expect(200);

    const { body } = await articles.get(id).expect(200);

    expect(body.data).toMatchObject({ title: 'Half', intro: null, tags: ['a'] });
    expect(body.meta).toEqual({ faults: MISSING });
    expect((await articles.get('?status=draft')).body.data[0]).toEqual(body.data);
  });

  it('is the one rule that drafts need not keep', async () => {
    for (const [body, rule] of [
      [{ title: '' }, 'required'],
      [{ intro: 7 }, 'type'],
      [{ tags: [null] }, 'required'],
      [{ code: 'UPPER' }, 'pattern'],
      [{ about: 999_999 }, 'relation'],
    ] as const) {
      const answer = await articles.post('', { title: 'Half', ...body });

      expectError(answer, 'validation_failed');
      expect(answer.body.details).toMatchObject([{ rule }]);
    }
  });

  it('is asked when a record is made public, by whatever way', async () => {
    const id = await articles.create({ title: 'Half' });
    await save(`article/${id}`, { title: 'Still half' });

    const refusals = [
      await articles.post('', { title: 'Half', status: 'published' }),
      await put(id, { status: 'published' }),
      await articles.post(`${id}/publish`),
    ];

    for (const answer of refusals) {
      expectError(answer, 'validation_failed');
      expect(answer.body.details).toEqual(MISSING);
    }
    await articles.post(`${id}/draft/apply`).expect(200);
    await put(id, { intro: 'There', status: 'published' }).expect(200);
    expectError(await put(id, { intro: null }), 'validation_failed');
    await put(id, { intro: null, status: 'draft' }).expect(200);
  });

  it('is asked of the record as a whole when its working copy is folded in before the public', async () => {
    const id = await articles.create({ ...WHOLE, status: 'published' });
    await save(`article/${id}`, { intro: null });

    for (const step of ['publish', 'draft/apply']) {
      const answer = await articles.post(`${id}/${step}`);

      expectError(answer, 'validation_failed');
      expect(answer.body.details).toEqual(MISSING);
    }
    expect((await read(`article/${id}`)).body.meta.draft).toMatchObject({ changed: ['intro'], faults: MISSING });
    expect((await articles.get(id)).body).toEqual({ data: expect.objectContaining({ intro: 'There' }) });
  });

  it('holds for a rollback of what is public, and not of drafts', async () => {
    const id = await articles.create({ title: 'Half' });
    await put(id, { ...WHOLE, status: 'published' }).expect(200);
    const [half = 0] = await articles.times(id);

    const kept = await articles.post(`${id}/rollback/${half}`).expect(200);
    const withStatus = await articles.post(`${id}/rollback/${half}`, { include_status: true }).expect(200);

    expect(kept.body.data).toMatchObject({ title: 'Half', intro: 'There', status: 'published' });
    expect(kept.body.meta.rollback.kept).toMatchObject([{ field: 'intro', reason: 'required' }]);
    expect(withStatus.body.data).toMatchObject({ intro: null, status: 'draft' });
  });

  it('is asked of records from before the rule: published anew, and out of the trash they come as drafts', async () => {
    const { tags: _, ...old } = WHOLE;
    const [draft, trashed] = [
      await articles.create(old),
      await articles.create({ ...old, status: 'published', published_at: '2020-01-01T00:00:00Z' }),
    ];
    await service.http().delete(`/api/cms/article/${trashed}`).expect(204);
    await requireTags(true);

    const refused = await articles.post(`${draft}/publish`);
    const { body } = await articles.post(`${trashed}/restore`).expect(200);
    await put(trashed, { tags: ['a'], status: 'published' }).expect(200);

    expectError(refused, 'validation_failed');
    expect(refused.body.details).toMatchObject([{ field: 'tags', rule: 'required' }]);
    expect(body.data).toMatchObject({ status: 'draft', published_at: null });
    expect(body.meta.restore.skipped).toEqual([{ field: 'status', reason: 'required' }]);
    expect((await articles.get(trashed)).body.data.published_at).toBe('2020-01-01T00:00:00.000Z');
    await requireTags(false);
  });

  it('and all else that keeps a working copy from the public are its faults, which stop no save', async () => {
    await articles.create({ ...WHOLE, slug: 'taken', code: 'taken' });
    const id = await articles.create({ ...WHOLE, status: 'published' });

    const { data, meta } = await save(`article/${id}`, {
      title: '',
      slug: 'taken',
      code: 'taken',
      about: 999_999,
      due: 'tomorrow',
    });

    expect(data).toMatchObject({ title: '', slug: 'taken', code: 'taken', due: 'tomorrow' });
    expect(meta.draft.faults.map(({ field, rule }: { field: string; rule: string }) => `${field} ${rule}`)).toEqual([
      'title required',
      'due format',
      'slug slug_taken',
      'code unique',
      'about relation',
    ]);
    expectError(await articles.post(`${id}/publish`), 'validation_failed');
    expect((await read(`article/${id}`)).status).toBe(200);
  });

  it('is asked of a relation that a working copy holds as the number that its field had before', async () => {
    const id = await articles.create(WHOLE);
    await save(`article/${id}`, { about: 999_999 });
    const { source } = service.app.get(Writer, { strict: false });
    const [row] = await source.query<{ changes: string }[]>('SELECT changes FROM record_drafts WHERE record_id = ?', [
      id,
    ]);
    const changes = (row?.changes ?? '').replace('{"id":999999,"type":"post"}', '999999');
    await source.query('UPDATE record_drafts SET changes = ? WHERE record_id = ?', [changes, id]);

    expect((await read(`article/${id}`)).body.meta.draft.faults).toMatchObject([{ field: 'about', rule: 'relation' }]);
  });

  it('and a term that only a working copy has, and that is gone, is asked for again', async () => {
    await service
      .http()
      .put('/api/admin/types/article')
      .send({ taxonomies: ['category'] })
      .expect(200);
    const [kept, gone] = [await aTerm('category', 'Kept'), await aTerm('category', 'Gone')];
    const id = await articles.create({ ...WHOLE, status: 'published', terms: { category: [kept.id] } });
    await save(`article/${id}`, { terms: { category: [kept.id, gone.id] } });
    await service
      .http()
      .delete(`${path('category')}/${gone.id}`)
      .expect(204);

    const seen = (await read(`article/${id}`)).body;
    const refused = await articles.post(`${id}/publish`);
    await save(`article/${id}`, { terms: { category: [] } });
    const { body } = await articles.post(`${id}/publish`).expect(200);

    expect(seen.data.terms.category).toMatchObject([{ id: kept.id }]);
    expect(seen.meta.draft).toMatchObject({ changed: ['terms.category'], faults: [{ rule: 'term_not_found' }] });
    expectError(refused, 'validation_failed');
    expect(refused.body.details).toEqual(seen.meta.draft.faults);
    expect(body.data.terms).toEqual({ category: [] });
  });

  it('names the type that a relation may not point to any more', async () => {
    const post = await new Historian(service).create({ title: 'Target' });
    const fields = [{ name: 'about', type: 'relation', to: ['post'] }];
    await service.http().post('/api/admin/types').send({ name: 'review', fields }).expect(201);
    const id = await new Historian(service, 'review').create({ title: 'One' });
    await save(`review/${id}`, { about: post });

    await service
      .http()
      .put('/api/admin/types/review?confirm=review')
      .send({ fields: [{ ...fields[0], to: ['page'] }] })
      .expect(200);

    expect((await read(`review/${id}`)).body.meta.draft.faults).toEqual([
      { field: 'about', rule: 'type', message: 'about must be a record of the type page, and not of post.' },
    ]);
  });

  it('is that a record is not too large, which it may become by its working copy', async () => {
    const id = await articles.create({ ...WHOLE, status: 'published' });
    await save(`article/${id}`, { title: 'Long', body: 'x'.repeat(700_000) });
    await put(id, { intro: 'x'.repeat(400_000) }).expect(200);

    const { faults } = (await read(`article/${id}`)).body.meta.draft;
    const refused = await articles.post(`${id}/publish`);
    const larger = await send('patch', `article/${id}`, '*', { body: 'x'.repeat(700_001) });
    await save(`article/${id}`, { title: 'Long' });
    await save(`article/${id}`, { body: 'x'.repeat(690_000) });
    const mended = await save(`article/${id}`, { body: 'Short' });

    expect(faults).toMatchObject([{ field: '', rule: 'max_length' }]);
    for (const answer of [refused, larger]) expectError(answer, 'payload_too_large');
    expect(mended.meta.draft.faults).toEqual([]);
    await articles.post(`${id}/publish`).expect(200);
  });

  it('does not open a working copy to what is unknown, or not of the kind or size of its field', async () => {
    const id = await articles.create(WHOLE);
    const request = () => service.http(TOKENS.admin).patch(`/api/cms/article/${id}/draft`).set('If-Match', '*');

    for (const body of [
      { title: 7 },
      { title: 'x'.repeat(256) },
      { slug: null },
      { tags: [7] },
      { no_such: 1 },
      { id },
    ])
      expectError(await request().send(body), 'validation_failed');
  });

  it('is nullable in the bodies that the OpenAPI document describes', async () => {
    const { schemas } = (await service.http().get('/api/openapi.json')).body.components;

    expect(schemas.ArticleCreate).toMatchObject({ required: ['title'] });
    for (const name of ['Article', 'ArticleCreate', 'ArticleUpdate', 'ArticleDraftChange'])
      expect([name, schemas[name].properties.intro.type]).toEqual([name, ['string', 'null']]);
  });
});
