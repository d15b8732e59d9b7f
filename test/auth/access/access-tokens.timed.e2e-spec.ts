import { bearerOf } from '../../../src/auth/secrets/secrets.js';
import { VerifiedAccess } from '../../../src/auth/tokens/access/verified-access.js';
import { cpuTime } from '../../support/cpu-time.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

describe('Access tokens', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(() => service.close());

  it.each([
    ['no space', 'B'.repeat(15_500)],
    ['spaces only', `Bearer${' '.repeat(15_500)}`],
    ['many points', `Bearer ${'.'.repeat(15_500)}`],
    ['many parts', `Bearer ${'a.'.repeat(8_192)}`],
    ['letters and no point', `Bearer ${'a'.repeat(16_384)}`],
  ])('do not let a header of %s hold the process', async (_, header) => {
    const access = service.app.get(VerifiedAccess);
    const started = cpuTime();

    for (let times = 0; times < 100; times += 1) await access.claimsOf(bearerOf(header) ?? '');

    // Quadratic time takes 100 ms for each.
    expect((cpuTime() - started) / 100).toBeLessThan(2);
  });
});
