import { expectError } from '../support/errors.js';
import { Historian } from '../support/historian.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

const SECRETS = {
  author: 'test-author-token-0123456789',
  publicEditor: 'test-public-editor-token-0123456789',
  noPublisher: 'test-no-publisher-token-0123456789',
};
const API_TOKENS = [
  `admin=${TOKENS.admin}`,
  `reader=${TOKENS.reader};records:read drafts:read revisions:read`,
  `author=${SECRETS.author};records:read records:create records:update_own drafts:read revisions:read`,
  `public=${SECRETS.publicEditor};records:read records:update records:publish revisions:read`,
  `nopublisher=${SECRETS.noPublisher};records:read records:update drafts:read revisions:read`,
].join(',');

describe('POST /api/cms/{type}/{id}/rollback/{ts}', () => {
  let service: TestApp;
  let posts: Historian;

  beforeAll(async () => {
    service = await startTestApp({ API_TOKENS, RATE_LIMITS: 'off' });
    posts = new Historian(service);
  });
  afterAll(() => service.close());

  const rollBack = async (id: number, ts: number | undefined, body: object = {}) => {
    const answer = await posts.post(`${id}/rollback/${ts ?? 0}`, body);
    expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
    return { data: answer.body.data, ...answer.body.meta.rollback, headers: answer.headers };
  };

  it('brings the content back as a new write, and leaves history as it was', async () => {
    const id = await posts.create({
      title: 'One',
      body: 'First text',
      slug: 'rb-one',
      terms: { tag: ['red', 'blue'] },
    });
    await posts.update(id, {
      title: 'Two',
      body: null,
      slug: 'rb-two',
      status: 'published',
      terms: { tag: ['green'] },
    });
    const before = await posts.history(id);
    const first = before.at(-1)?.ts;

    const { data, restored, kept, skipped, ts, dry_run: isDryRun, headers } = await rollBack(id, first);

    expect(data).toMatchObject({ title: 'One', body: 'First text', slug: 'rb-one', status: 'published', version: 3 });
    expect(data.terms.tag.map(({ slug }: { slug: string }) => slug)).toEqual(['red', 'blue']);
    expect(headers.etag).toBe('"3"');
    expect({ restored, kept, skipped, ts, isDryRun }).toEqual({
      restored: ['title', 'body', 'slug', 'tag'],
      kept: [],
      skipped: [],
      ts: first,
      isDryRun: false,
    });
    expect((await posts.get(id)).body.data).toEqual(data);
    const [newest, ...rest] = await posts.history(id);
    expect(newest).toMatchObject({ action: 'rollback', rollback_of: first, version: 3, current: true });
    expect(rest).toEqual(before.map((one) => ({ ...one, current: false })));
    expect((await posts.get(`${id}/revisions/${before[0]?.ts ?? 0}`)).body.data.snapshot).toMatchObject({
      title: 'Two',
    });
  });

  it('changes nothing when the record is in that state', async () => {
    const id = await posts.create({ title: 'Same', body: 'x', terms: { tag: ['same'] } });
    const [ts] = await posts.times(id);
    const before = (await posts.get(id)).body.data;

    const { data, restored } = await rollBack(id, ts);

    expect(data).toEqual(before);
    expect(restored).toEqual([]);
    expect(await posts.history(id)).toHaveLength(1);
  });

  it('can go back and forth', async () => {
    const id = await posts.create({ title: 'One' });
    await posts.update(id, { title: 'Two' });
    const [one, two] = await posts.times(id);

    expect((await rollBack(id, one)).data.title).toBe('One');
    expect((await rollBack(id, two)).data.title).toBe('Two');
    expect((await rollBack(id, one)).data.title).toBe('One');
    expect((await posts.history(id)).map(({ title, rollback_of: of }) => [title, of])).toEqual([
      ['One', one],
      ['Two', two],
      ['One', one],
      ['Two', null],
      ['One', null],
    ]);
  });

  it('brings only those parts back that are named', async () => {
    const id = await posts.create({
      title: 'One',
      body: 'First',
      slug: 'rb-part-one',
      terms: { tag: ['a'], category: [] },
    });
    await posts.update(id, { title: 'Two', body: 'Second', slug: 'rb-part-two', terms: { tag: ['b'] } });
    const [first] = await posts.times(id);

    expect((await rollBack(id, first, { fields: ['body'] })).data).toMatchObject({
      title: 'Two',
      body: 'First',
      slug: 'rb-part-two',
      terms: { tag: [{ name: 'b' }] },
    });
    expect((await rollBack(id, first, { fields: ['tag', 'title'] })).data).toMatchObject({
      title: 'One',
      slug: 'rb-part-two',
      terms: { tag: [{ name: 'a' }] },
    });
    const answer = await posts.post(`${id}/rollback/${first ?? 0}`, { fields: ['title', 'status', 'colour'] });
    expectError(answer, 'validation_failed');
    expect(answer.body.details.map(({ field }: { field: string }) => field)).toEqual(['fields.1', 'fields.2']);
  });

  it('brings the status back when it is asked for, with the time of publishing, by those who may publish', async () => {
    const id = await posts.create({ title: 'One', status: 'published', published_at: '2020-02-02T02:02:02.000Z' });
    await posts.update(id, { status: 'draft', title: 'Two' });
    const [first] = await posts.times(id);
    const path = `${id}/rollback/${first ?? 0}`;

    expectError(await posts.post(path, { include_status: true }, SECRETS.noPublisher), 'insufficient_scope');
    expectError(
      await posts.post(path, { include_status: true, dry_run: true }, SECRETS.noPublisher),
      'insufficient_scope',
    );
    await posts.post(path, {}, SECRETS.noPublisher).expect(200);
    const { data } = await rollBack(id, first, { include_status: true });

    expect(data).toMatchObject({ status: 'published', published_at: '2020-02-02T02:02:02.000Z' });
    await posts.update(id, { status: 'archived' });
    expect((await rollBack(id, first, { include_status: true })).data).toMatchObject({
      status: 'published',
      published_at: '2020-02-02T02:02:02.000Z',
    });
    const draft = (await posts.history(id)).find(({ status }) => status === 'draft')?.ts;
    expect((await rollBack(id, draft, { include_status: true })).data).toMatchObject({
      status: 'draft',
      published_at: null,
    });
  });

  it('keeps the present slug where another record has the old one, and says so', async () => {
    const id = await posts.create({ title: 'One', slug: 'rb-wanted' });
    await posts.update(id, { title: 'Two', slug: 'rb-other' });
    await posts.create({ title: 'Thief', slug: 'rb-wanted' });
    const [first] = await posts.times(id);

    const { data, kept, restored } = await rollBack(id, first);

    expect(data).toMatchObject({ title: 'One', slug: 'rb-other' });
    expect({ kept, restored }).toEqual({ kept: [{ field: 'slug', reason: 'slug_taken' }], restored: ['title'] });
  });

  it.each([
    ['the body', '', { dry_run: true }],
    ['the query', '?dry_run=true', {}],
  ])('writes nothing in a dry run asked for in %s, and says what would change', async (_, query, body) => {
    const id = await posts.create({ title: 'One dry', body: 'The old text', terms: { tag: ['dry'] } });
    await posts.update(id, { title: 'Two dry', body: 'The new text', terms: { tag: [] } });
    const [first] = await posts.times(id);
    const before = (await posts.get(id)).body.data;

    const answer = await posts.post(`${id}/rollback/${first ?? 0}${query}`, body).expect(200);

    expect(answer.body.data).toEqual(before);
    expect(answer.body.meta.rollback).toEqual({
      ts: first,
      dry_run: true,
      restored: ['title', 'body', 'tag'],
      kept: [],
      skipped: [],
      changes: [
        expect.objectContaining({ field: 'title', from: 'Two dry', to: 'One dry' }),
        {
          field: 'body',
          kind: 'built_in',
          from: 'The new text',
          to: 'The old text',
          changes: [
            { op: 'equal', text: 'The ' },
            { op: 'delete', text: 'new' },
            { op: 'insert', text: 'old' },
            { op: 'equal', text: ' text' },
          ],
        },
        { field: 'tag', kind: 'taxonomy', from: [], to: [{ id: expect.any(Number), slug: 'dry', name: 'dry' }] },
      ],
    });
    expect((await posts.get(id)).body.data).toEqual(before);
    expect(await posts.history(id)).toHaveLength(2);
  });

  it('names no id for a tag that would be made again, and the slug that it gets', async () => {
    const { body: tag } = await service.http().post('/api/cms/taxonomy').send({
      type: 'tag',
      name: 'Dry dock',
      slug: 'rb-dry-dock',
    });
    const id = await posts.create({ title: 'One', terms: { tag: [tag.data.id, 'Dry season'] } });
    await posts.update(id, { terms: { tag: [] } });
    await service.http().delete(`/api/cms/taxonomy/tag/${tag.data.id}`).expect(204);
    await service.http().delete('/api/cms/taxonomy/tag/slug:dry-season').expect(204);
    const [first] = await posts.times(id);
    const tagsIn = ({ changes }: { changes: readonly { field: string; to: unknown }[] }) =>
      changes.find(({ field }) => field === 'tag')?.to;

    const dry = await rollBack(id, first, { dry_run: true });
    const { data } = await rollBack(id, first);
    const [dock, season] = data.terms.tag;

    expect(tagsIn(dry)).toEqual([
      { id: null, slug: 'dry-dock', name: 'Dry dock' },
      { id: null, slug: 'dry-season', name: 'Dry season' },
    ]);
    expect([dock, season]).toEqual([
      { id: expect.any(Number), slug: 'dry-dock', name: 'Dry dock' },
      { id: expect.any(Number), slug: 'dry-season', name: 'Dry season' },
    ]);
  });

  it('takes the tag that has the name of one that is gone, and says so before', async () => {
    const { body: old } = await service.http().post('/api/cms/taxonomy').send({
      type: 'tag',
      name: 'Wet dock',
      slug: 'rb-wet-dock',
    });
    const id = await posts.create({ title: 'One', terms: { tag: [old.data.id] } });
    await posts.update(id, { terms: { tag: [] } });
    await service.http().delete(`/api/cms/taxonomy/tag/${old.data.id}`).expect(204);
    const [first] = await posts.times(id);
    const { body: other } = await service.http().post('/api/cms/taxonomy').send({ type: 'tag', name: 'Wet dock' });
    const there = { id: other.data.id, slug: 'wet-dock', name: 'Wet dock' };

    const dry = await rollBack(id, first, { dry_run: true });
    const { data } = await rollBack(id, first);

    expect(dry.changes).toEqual([{ field: 'tag', kind: 'taxonomy', from: [], to: [there] }]);
    expect(data.terms.tag).toEqual([there]);
    expect((await rollBack(id, first, { dry_run: true })).changes).toEqual([]);
  });

  it('is refused when the record has changed since', async () => {
    const id = await posts.create({ title: 'One' });
    await posts.update(id, { title: 'Two' });
    const [first] = await posts.times(id);
    const path = `${id}/rollback/${first ?? 0}`;

    const stale = await posts.post(path).set('If-Match', '"1"');
    expectError(stale, 'version_conflict');
    expect(stale.body.details[0].version).toBe(2);
    await posts.post(path).set('If-Match', '"2"').expect(200);
  });

  it('takes the right to change the record', async () => {
    const id = await posts.create({ title: 'Not yours' });
    const own = await posts.post('', { title: 'Yours' }, SECRETS.author).expect(201);
    await posts.update(own.body.data.id, { title: 'Changed' });
    const ownPath = `${own.body.data.id}/rollback/${(await posts.times(own.body.data.id))[0] ?? 0}`;
    const path = `${id}/rollback/${(await posts.times(id))[0] ?? 0}`;

    expectError(await posts.post(path, {}, TOKENS.reader), 'insufficient_scope');
    expectError(await posts.post(path, {}, SECRETS.author), 'insufficient_scope');
    expect((await posts.post(ownPath, {}, SECRETS.author).expect(200)).body.data.title).toBe('Yours');
  });

  it('finds no state that the caller may not see', async () => {
    const id = await posts.create({ title: 'Secret draft' });
    await posts.update(id, { title: 'Public', status: 'published' });
    const [draft, published] = await posts.times(id);

    expectError(await posts.post(`${id}/rollback/${draft ?? 0}`, {}, SECRETS.publicEditor), 'revision_not_found');
    await posts.post(`${id}/rollback/${published ?? 0}`, {}, SECRETS.publicEditor).expect(200);
  });

  it('finds neither what is not there nor what is in the trash', async () => {
    const id = await posts.create({ title: 'Gone' });
    const [ts] = await posts.times(id);

    expectError(await posts.post(`${id}/rollback/1`), 'revision_not_found');
    expectError(await posts.post(`${id}/rollback/never`), 'revision_not_found');
    expectError(await posts.post(`99999/rollback/${ts ?? 0}`), 'record_not_found');
    await service.http().delete(`/api/cms/post/${id}`).expect(204);
    expectError(await posts.post(`${id}/rollback/${ts ?? 0}`), 'record_not_found');
  });

  it.each([
    [{ include_status: 'yes' }, 'include_status'],
    [{ fields: 'title' }, 'fields'],
    [{ fields: [] }, 'fields'],
    [{ fields: ['title', 'title'] }, 'fields'],
    [{ fields: Array.from({ length: 301 }, (_, n) => `field_${n}`) }, 'fields'],
    [{ status: 'published' }, 'status'],
  ])('refuses the body %j', async (body, field) => {
    const id = await posts.create({ title: 'x' });

    const answer = await posts.post(`${id}/rollback/1`, body);

    expectError(answer, 'validation_failed');
    expect(answer.body.details[0].field).toBe(field);
  });

  it('is serialised with other writes', async () => {
    const id = await posts.create({ title: 'Start' });
    const [first] = await posts.times(id);

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0
          ? posts.post(`${id}/rollback/${first ?? 0}`)
          : service
              .http()
              .put(`/api/cms/post/${id}`)
              .send({ title: `Race ${n}` }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const history = await posts.history(id);
    expect(history.map(({ version }) => version)).toEqual(history.map((_, n) => history.length - n));
    expect(history[0]?.title).toBe((await posts.get(id)).body.data.title);
  });
});
