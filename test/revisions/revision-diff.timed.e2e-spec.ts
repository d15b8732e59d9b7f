import { cpuTime } from '../support/cpu-time.js';
import { Historian } from '../support/historian.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('GET /api/cms/{type}/{id}/revisions/{ts}/diff', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
  });

  afterAll(() => service.close());

  it('answers in time when two texts of half a million characters have nothing in common', async () => {
    const historian = new Historian(service);
    const text = (seed: number) =>
      Array.from({ length: 60_000 }, (_, n) => ((n * seed) % 99_991).toString(36)).join(' ');
    const id = await historian.create({ title: 'Long', body: text(7_919) });
    await historian.update(id, { body: text(104_729) });
    const [ts] = (await historian.history(id)).map((one) => one.ts);
    const startedAt = cpuTime();

    await historian.get(`${id}/revisions/${ts ?? 0}/diff`).expect(200);

    expect(cpuTime() - startedAt).toBeLessThan(3_000);
  });
});
