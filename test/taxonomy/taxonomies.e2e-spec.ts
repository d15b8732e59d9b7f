import { startTestApp, type TestApp } from '../support/test-app.js';
import { taxonomyRequests } from '../support/taxonomy-requests.js';
import { faultsOf } from '../support/type-requests.js';

describe('Taxonomies', () => {
  let service: TestApp;
  const { path, aTaxonomy, aTerm, pathsOf } = taxonomyRequests(() => service);

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(() => service.close());

  it('are named by content types only where they exist', async () => {
    const answer = await service
      .http()
      .post('/api/admin/types')
      .send({ name: 'x', taxonomies: ['category', 'no'] });
    const change = await service
      .http()
      .put('/api/admin/types/page')
      .send({ taxonomies: ['no'] });

    expect([answer.status, faultsOf(answer)]).toEqual([422, ['taxonomies.1: taxonomy_not_found']]);
    expect(answer.body.message).toContain('category');
    expect([change.status, faultsOf(change)]).toEqual([422, ['taxonomies.0: taxonomy_not_found']]);
  });

  it('cannot be deleted while content types name them', async () => {
    const type = await aTaxonomy();
    await service
      .http()
      .post('/api/admin/types')
      .send({ name: 'user-of-it', taxonomies: [type] })
      .expect(201);

    const { status, body } = await service.http().delete(`/api/admin/taxonomies/${type}?confirm=${type}`);

    expect([status, body.error, body.details]).toEqual([409, 'taxonomy_in_use', [{ type: 'user-of-it' }]]);
    await service.http().delete('/api/admin/types/user-of-it').expect(204);
    await service.http().delete(`/api/admin/taxonomies/${type}`).expect(204);
    await service.http().get(path(type)).expect(404);
  });

  it('go with all their terms when that is confirmed', async () => {
    const type = await aTaxonomy();
    const { id } = await aTerm(type, 'a');
    await aTerm(type, 'b', { parent_id: id });

    const refused = await service.http().delete(`/api/admin/taxonomies/${type}?confirm=other`);
    expect([refused.body.error, refused.body.details]).toEqual(['taxonomy_not_empty', [{ terms: 2 }]]);
    await service.http().delete(`/api/admin/taxonomies/${type}?confirm=${type}`).expect(204);
    await service.http().post('/api/admin/taxonomies').send({ name: type, hierarchical: true }).expect(201);
    expect(await pathsOf(type)).toEqual([]);
  });

  it.each(['types', 'new', 'constructor', '__proto__', 'Big', 'a b', 'x'.repeat(65)])(
    'cannot have the name "%s"',
    async (name) => {
      const answer = await service.http().post('/api/admin/taxonomies').send({ name });

      expect([answer.status, faultsOf(answer)]).toEqual([422, [expect.stringMatching(/^name: /)]]);
    },
  );

  it.each(['/api/admin/taxonomies', '/api/admin/types'])(
    'have a plural label that is no longer than a label may be (%s)',
    async (address) => {
      const label = 'x'.repeat(255);

      const answer = await service.http().post(address).send({ name: 'long-label', label });

      expect([answer.status, answer.body.data?.label]).toEqual([201, label]);
      expect(answer.body.data.label_plural).toBe(`${'x'.repeat(254)}s`);
    },
  );

  it('keep their name and their version', async () => {
    const type = await aTaxonomy();
    const admin = `/api/admin/taxonomies/${type}`;

    expect(faultsOf(await service.http().put(admin).send({ name: 'other', version: 3 }))).toEqual([
      'version: read_only',
      'name: read_only',
    ]);
    expect((await service.http().put(admin).send({ name: type })).headers.etag).toBe('"1"');
    const changed = await service.http().put(admin).set('If-Match', '"1"').send({ description: 'Trees.' });
    expect([changed.headers.etag, changed.body.data.label]).toEqual(['"2"', type.replace(/^t/, 'T').replace('-', ' ')]);
  });
});
