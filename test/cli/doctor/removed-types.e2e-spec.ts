import { runner } from '../../support/cli-runner.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

describe('doctor, of a type that was just deleted', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
  });

  afterAll(() => service.close());

  it('finds nothing wrong with what the jobs of the next hour drop', async () => {
    await service.http().post('/api/admin/types').send({ name: 'brief' }).expect(201);
    await service.http().post('/api/cms/brief').send({ title: 'Seen', status: 'published' }).expect(201);
    await service.http().delete('/api/admin/types/brief?confirm=brief').expect(204);

    const { out } = await runner({ DATABASE_URL: service.database.url, API_TOKENS: '' })('doctor --deep');

    expect(out).toMatch(/^ok {4}counts /m);
  });
});
