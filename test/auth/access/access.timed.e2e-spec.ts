import { leastTime } from '../../support/cpu-time.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

describe('Access', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(() => service.close());

  it.each([
    ['no space', 'x'.repeat(15_000)],
    ['a word and no space', `Bearer${'x'.repeat(15_000)}`],
    ['a token of that length', `Bearer ${'x'.repeat(15_000)}`],
    ['many words', `Bearer ${'x '.repeat(7_400)}x`],
  ])('refuses a header of 15,000 characters with %s at once', async (_, authorization) => {
    const send = (header: string) => service.anonymous().get('/api/admin/tokens').set('Authorization', header);
    await send('Bearer warm-up');

    expect(await leastTime(() => send(authorization).expect(401), 100)).toBeLessThan(100);
  });
});
