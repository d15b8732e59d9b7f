import type { Response } from 'supertest';
import { AccountTries } from '../../../src/auth/limits/account-tries.js';
import { KeyedMutex } from '../../../src/common/concurrency/keyed-mutex.js';
import { stopMonotonicClock } from '../../support/clock.js';
import { waitFor } from '../../support/mailbox.js';
import { aPerson, login, type Person } from '../../support/sign-in.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

describe('Sign-ins at one address while the database is slow', () => {
  let service: TestApp;
  let ann: Person;
  let thaw: () => void;
  let begun: number;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    ann = await aPerson(service);
  });

  beforeEach(() => {
    const tries = service.app.get(AccountTries);
    const take = tries.takeWithDelay.bind(tries);
    const frozen = new Promise<void>((resolve) => (thaw = resolve));
    begun = 0;
    jest.spyOn(tries, 'takeWithDelay').mockImplementation(async (...given) => {
      begun += 1;
      await frozen;
      return take(...given);
    });
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  const many = (count: number): Promise<Response>[] => Array.from({ length: count }, async () => login(service, ann));
  const statuses = (answers: readonly Response[]) => answers.map(({ status }) => status).sort();

  it('wait for each other up to a hundred, and those after them are asked to come back', async () => {
    stopMonotonicClock(); // 101 of them, one after the other, may take longer than they may wait
    const answers = many(110);

    const early: Response[] = [];
    await new Promise<void>((resolve) => {
      for (const answer of answers) {
        void answer.then((one) => {
          if (early.push(one) === 9) resolve();
        });
      }
    });
    thaw();

    expect(statuses(early.slice(0, 9))).toEqual(Array(9).fill(503));
    expect([early[0]?.body.error, early[0]?.headers['retry-after']]).toEqual(['overloaded', '1']);
    expect(statuses(await Promise.all(answers))).toEqual([
      ...Array<number>(101).fill(200),
      ...Array<number>(9).fill(503),
    ]);
  });

  it('wait for no longer than ten seconds', async () => {
    const pass = stopMonotonicClock();
    const waiting = jest.spyOn(KeyedMutex.prototype, 'run');
    const answers = many(3);
    await waitFor(() => Promise.resolve(waiting.mock.calls.length === 3 && begun === 1 ? true : null), 'all to wait');

    pass(10_001);
    thaw();

    expect(statuses(await Promise.all(answers))).toEqual([200, 503, 503]);
    expect(begun).toBe(1);
  });
});
