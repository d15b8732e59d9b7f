import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stretchWaits } from '../support/stretched-waits.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** More than there are threads by far. */
const AT_ONCE = 120;

describe('Many searches at once', () => {
  let service: TestApp;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cms-overload-'));
    // Whatever the others are tested on: a server queues by itself, and in a file searches wait for a thread.
    service = await startTestApp({ RATE_LIMITS: 'off', DATABASE_URL: `sqlite:${folder}/cms.sqlite` });
    await service.http().post('/api/cms/post').send({ title: 'Anything', status: 'published' }).expect(201);
  });

  afterAll(async () => {
    jest.restoreAllMocks();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('wait their turn and are all answered', async () => {
    stretchWaits(3_000, 5_000); // so long one may wait for a thread, and take there
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => service.http().get('/api/cms/search?q=anything')),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(200));
    expect(new Set(answers.map(({ body }) => body.meta.total))).toEqual(new Set([1]));
  });
});
