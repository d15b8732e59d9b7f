import { RecordReader } from '../../src/records/reading/record-reader.js';
import { taxonomyRequests } from '../support/taxonomy-requests.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('Terms of a type that is deleted meanwhile', () => {
  let service: TestApp;
  const { path, aTerm } = taxonomyRequests(() => service);

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(() => service.close());

  /** A record of a type of its own that has a tag. The type goes when the record is about to be written. */
  async function aDoomedRecord(tag: number): Promise<void> {
    const name = `doomed-${tag}`;
    await service
      .http()
      .post('/api/admin/types')
      .send({ name, taxonomies: ['tag'] })
      .expect(201);
    await service
      .http()
      .post(`/api/cms/${name}`)
      .send({ title: 'Of no use', terms: { tag: [tag] } })
      .expect(201);
    const reader = service.app.get(RecordReader);
    const read = reader.requireById.bind(reader);
    jest.spyOn(reader, 'requireById').mockImplementationOnce(async (type, id) => {
      const row = await read(type, id);
      await service.http().delete(`/api/admin/types/${name}?confirm=${name}`).expect(204);
      return row;
    });
  }

  it('go by a merge, and the records of other types follow', async () => {
    const { id: from } = await aTerm('tag', 'Old');
    const { id: into } = await aTerm('tag', 'New');
    await aDoomedRecord(from);

    const { body } = await service
      .http()
      .post(`${path('tag')}/${from}/merge`)
      .send({ into })
      .expect(200);

    expect(body.data).toMatchObject({ id: into, count: 0 });
  });

  it('go by a deletion', async () => {
    const { id } = await aTerm('tag', 'Unused');
    await aDoomedRecord(id);

    await service
      .http()
      .delete(`${path('tag')}/${id}?force=true`)
      .expect(204);

    await service
      .http()
      .get(`${path('tag')}/${id}`)
      .expect(404);
  });
});
