import { cpuTime } from '../support/cpu-time.js';
import { startLimitedApp, type LimitedApp } from '../support/limited-app.js';

describe('Limits on requests', () => {
  let service: LimitedApp;

  beforeAll(async () => {
    service = await startLimitedApp({ RATE_LIMITS: 'login=1', TRUST_PROXY: '127.0.0.0/8,10.0.0.0/8' });
  });

  afterAll(() => service.app.close());

  it('stand thousands of addresses in one header', async () => {
    const post = (forwarded: string) => service.http().post('/api/auth/login').set('X-Forwarded-For', forwarded);
    const many = Array.from({ length: 1_500 }, (_, index) => `10.0.${index >> 8}.${index & 255}`).join(',');
    await post('192.0.2.200');
    const begin = cpuTime();

    for (const status of [204, 429]) await post(`192.0.2.1,${many}`).expect(status);

    expect(cpuTime() - begin).toBeLessThan(500);
  });
});
