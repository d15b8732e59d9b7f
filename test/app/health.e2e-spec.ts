import { startTestApp, type TestApp } from '../support/test-app.js';

describe('Health', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(() => service.close());

  it.each(['live', 'ready'])('GET /health/%s answers 200 without a credential', async (probe) => {
    const answer = await service.anonymous().get(`/health/${probe}`);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ status: 'ok' });
  });
});
