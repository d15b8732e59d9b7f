import { startTestApp, type TestApp } from '../support/test-app.js';

describe('Values at the edge', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp();
    await service.http().post('/api/cms/post').send({ title: 'Edge', slug: 'edge' }).expect(201);
  });

  afterAll(() => service.close());

  it('are not found by a slug that only begins like theirs', async () => {
    const answer = await service.http().get('/api/cms/post/slug:edge%20');

    expect(answer.status).toBe(404);
  });

  it.each(['2026-02-30', '2026-04-31T00:00:00Z', '0000-01-01', '2026-01-01T24:00:00Z', '9999-12-31T23:59:59-23:59'])(
    'are not compared with %s, which no calendar has',
    async (time) => {
      const answer = await service.http().get('/api/cms/post').query({ 'filter[created_at][gt]': time });

      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_query']);
    },
  );

  it.each(['2030-02-30T00:00:00Z', '2030-01-01T24:00:00Z', '9999-12-31T23:59:59-23:59'])(
    'do not expire at %s, which no calendar has',
    async (time) => {
      const answer = await service
        .http()
        .post('/api/admin/tokens')
        .send({ name: 'edge', scopes: ['records:read'], expires_at: time });

      expect([answer.status, answer.body.error]).toEqual([422, 'validation_failed']);
    },
  );
});
