import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestApp, type TestApp } from './support/test-app.js';

/** One reads and 64 wait; the thread starts with the first search, so all are there before it has answered. */
const MORE_THAN_WAIT = 120;

describe('More searches at once than may wait', () => {
  let service: TestApp;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cms-overload-'));
    // Whatever the others are tested on: a server queues by itself, and in a file searches wait for one thread.
    service = await startTestApp({ RATE_LIMITS: 'off', DATABASE_URL: `sqlite:${folder}/cms.sqlite` });
    await service.http().post('/api/cms/post').send({ title: 'Anything', status: 'published' }).expect(201);
  });

  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('are told to come back, and all others are answered', async () => {
    const answers = await Promise.all(
      Array.from({ length: MORE_THAN_WAIT }, () => service.http().get('/api/cms/search?q=anything')),
    );

    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(MORE_THAN_WAIT - 60);
    for (const { status, body, headers } of refused) {
      expect([status, body.error, headers['retry-after']]).toEqual([503, 'overloaded', '1']);
    }
    for (const { body } of answers.filter(({ status }) => status === 200)) expect(body.meta.total).toBe(1);
    await service.http().get('/api/cms/search?q=anything').expect(200);
  });
});
