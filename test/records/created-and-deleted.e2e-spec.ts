import { RecordsService } from '../../src/records/records.service.js';
import { TermManagementService } from '../../src/taxonomy/terms/term-management.service.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('A create of which a term is deleted before it is answered', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  const deleteTag = (slug: string) =>
    service.http().delete(`/api/cms/taxonomy/tag/slug:${slug}?force=true`).expect(204);

  it('is 201 with the term as it was made', async () => {
    const management = service.app.get(TermManagementService);
    const create = management.create.bind(management);
    jest.spyOn(management, 'create').mockImplementationOnce(async (body) => {
      const made = await create(body);
      await deleteTag('short-lived');
      return made;
    });

    const answer = await service.http().post('/api/cms/taxonomy').send({ type: 'tag', name: 'Short-lived' });

    expect([answer.status, answer.body.data.slug, answer.body.data.count]).toEqual([201, 'short-lived', 0]);
    expect(answer.headers.location).toBe(`/api/cms/taxonomy/tag/${answer.body.data.id}`);
    await service.http().get(`/api/cms/taxonomy/tag/${answer.body.data.id}`).expect(404);
  });

  it('is 201 with the record, without the term', async () => {
    const records = service.app.get(RecordsService);
    const create = records.create.bind(records);
    jest.spyOn(records, 'create').mockImplementationOnce(async (...args) => {
      const row = await create(...args);
      await deleteTag('fleeting');
      return row;
    });

    const body = { title: 'x', terms: { tag: ['Fleeting'] } };
    const answer = await service.http().post('/api/cms/post').send(body);

    expect([answer.status, answer.body.data.terms.tag]).toEqual([201, []]);
  });
});
