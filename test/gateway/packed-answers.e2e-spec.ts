import { startTestApp, type TestApp } from '../support/test-app.js';

const TYPE = { name: 'note', label: 'Note', fields: [{ name: 'text', type: 'string' }] };
const POST = '/api/cms/post/slug:first';

describe('Validators of a gateway that packs answers', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp();
    const first = { title: 'First', slug: 'first', status: 'published' };
    await service.http().post('/api/cms/post').send(first).expect(201);
  });

  afterAll(() => service.close());

  it.each([
    ['"1"', 304],
    ['"1-br"', 304],
    ['"1-gzip"', 304],
    ['W/"1"', 304],
    ['W/"1-br"', 304],
    ['"7", "1-gzip"', 304],
    ['*', 304],
    ['"2-br"', 200],
    ['"1-zip"', 200],
  ])('If-None-Match: %s is %d, with the own validator', async (held, status) => {
    const answer = await service.http().get(POST).set('If-None-Match', held).set('Accept-Encoding', 'br, gzip');

    expect([answer.status, answer.headers.etag]).toEqual([status, '"1"']);
    expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([undefined, 'Authorization']);
    expect(answer.text.length > 0).toBe(status === 200);
  });

  it('go for lists as well, whose validators are made of their bytes', async () => {
    const { etag = '' } = (await service.http().get('/api/cms/post')).headers as { etag?: string };

    const held = etag.replace(/"$/, '-gzip"');
    const answer = await service.http().get('/api/cms/post').set('If-None-Match', held);

    expect([answer.status, answer.headers.etag]).toEqual([304, etag]);
  });

  it('If-Match takes the validator of any encoding, for records, types and taxonomies', async () => {
    const change = (path: string, tag: string, body: object, method: 'patch' | 'put' = 'put') =>
      service.http()[method](path).set('If-Match', tag).send(body);
    const taxonomy = '/api/admin/taxonomies/tag';

    await change(POST, '"1-br"', { title: 'Changed' }, 'patch').expect(200);
    await change(POST, '"1-br"', { title: 'Lost' }, 'patch').expect(412);
    await service.http().post('/api/admin/types').send(TYPE).expect(201);
    await change('/api/admin/types/note', '"1-gzip"', { ...TYPE, label: 'Notes' }).expect(200);
    await change('/api/admin/types/note', '"1-gzip"', { ...TYPE, label: 'Lost' }).expect(412);
    await change(taxonomy, '"1-br"', { description: 'Labels.' }).expect(200);
    await change(taxonomy, '"1-br"', { description: 'Lost.' }).expect(412);
  });
});
