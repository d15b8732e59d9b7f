import { readSettings } from '../../../src/config/settings.js';
import { execute } from '../../../src/database/statements/statement.js';
import { UnitOfWork } from '../../../src/database/units/unit-of-work.js';
import { cpuTime } from '../../support/cpu-time.js';
import { aPerson, login } from '../../support/sign-in.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

describe('POST /api/auth/login', () => {
  let service: TestApp;

  beforeAll(async () => {
    // The cost of production.
    const { passwordCost } = readSettings('test', {});
    service = await startTestApp({ RATE_LIMITS: 'off' }, { passwordCost });
  });

  afterAll(() => service.close());

  /** Otherwise the tries of one round make those of the next one wait. */
  const forgetTries = () =>
    service.app.get(UnitOfWork).run((manager) => execute(manager, 'DELETE FROM auth_counters', []));

  it('takes the same work for an unknown address, a user without a password and a wrong password', async () => {
    const people = [
      { email: 'nobody@example.com' },
      await aPerson(service, { password: null }),
      await aPerson(service),
    ];
    const took: number[][] = people.map(() => []);

    for (let round = 0; round < 15; round += 1) {
      for (const [index, person] of people.entries()) {
        const start = cpuTime();
        await login(service, person, 'wrong');
        took[index]?.push(cpuTime() - start);
      }
      await forgetTries();
    }

    const medians = took.map((list) => list.sort((a, b) => a - b)[7] ?? NaN);
    // One that returned at once would take a tenth of it.
    expect(Math.max(...medians) / Math.min(...medians)).toBeLessThan(2.5);
  });
});
