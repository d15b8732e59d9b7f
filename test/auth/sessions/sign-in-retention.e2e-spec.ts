import { SignInJobs } from '../../../src/auth/accounts/sign-in-jobs.js';
import { Reads } from '../../../src/database/statements/reads.js';
import { passTime } from '../../support/clock.js';
import { sendCode } from '../../support/mail-sign-in.js';
import { aPerson, login, signedIn } from '../../support/sign-in.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('What signing in leaves behind', () => {
  let service: TestApp;

  beforeEach(async () => {
    service = await startTestApp();
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await service.close();
  });

  const count = async (table: string) => (await service.app.get(Reads).select(`SELECT id FROM ${table}`)).length;

  /** Sweeps as it will be done after so long. */
  async function sweepAfter(ms: number): Promise<void> {
    passTime(service, ms / 1_000);
    await service.app.get(SignInJobs).dropOld();
  }

  it('is kept as long as it is of use: codes an hour, counters a week, sessions a month after their end', async () => {
    const ann = await aPerson(service);
    await signedIn(service, ann);
    await sendCode(service, ann.email);
    await login(service, ann, 'wrong');
    const { refresh_token: token } = await signedIn(service, ann);
    await service.anonymous().post('/api/auth/logout').send({ refresh_token: token }).expect(204);
    await login(service, ann, 'wrong');
    expect([await count('auth_challenges'), await count('auth_sessions')]).toEqual([1, 2]);

    await sweepAfter(600_000 + HOUR - 10_000);
    expect(await count('auth_challenges')).toBe(1);
    await sweepAfter(600_000 + HOUR + 10_000);
    expect(await count('auth_challenges')).toBe(0);
    expect(await count('auth_counters')).toBeGreaterThan(0);
    await sweepAfter(8 * DAY);
    expect(await count('auth_counters')).toBe(0);
    await sweepAfter(29 * DAY);
    expect(await count('auth_sessions')).toBe(2);
    await sweepAfter(31 * DAY);
    expect(await count('auth_sessions')).toBe(1);
    await sweepAfter(61 * DAY);
    expect(await count('auth_sessions')).toBe(0);
  });
});
