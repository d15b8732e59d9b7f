import { Clock } from '../../../src/common/clock.js';
import { aPerson, login } from '../../support/sign-in.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

describe('The tries that an account has', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(() => service.close());

  afterEach(() => jest.restoreAllMocks());

  it('are free as far as they are, also where another process has a clock that is ahead', async () => {
    const person = await aPerson(service);
    const clock = jest.spyOn(service.app.get(Clock), 'now');
    const start = Date.now();
    const statuses: number[] = [];

    for (let times = 0; times < 5; times += 1) {
      clock.mockReturnValue(start - times * 100);
      statuses.push((await login(service, person, 'another horse entirely')).status);
    }

    expect(statuses).toEqual([401, 401, 401, 401, 401]);
    expect((await login(service, person)).status).toBe(429);
  });
});
