import { Clock } from '../../../common/clock.js';
import { readSettings } from '../../../config/settings.js';
import { SignInFreshness } from './sign-in-freshness.js';

const NOW = Date.UTC(2026, 0, 1);
const SECOND = 1_000;
const TEN_MINUTES = 600 * SECOND;

describe('SignInFreshness', () => {
  const clock = new Clock();
  const freshness = new SignInFreshness(clock, readSettings('test', {}));

  beforeEach(() => jest.spyOn(clock, 'now').mockReturnValue(NOW));

  const user = (authTime?: number) => () => {
    freshness.require({ kind: 'user', id: 1, name: 'Ana', scopes: new Set(), authTime });
  };

  it.each([
    ['now', NOW],
    ['until its time is over', NOW - TEN_MINUTES + 1],
    ['by a clock that is a little ahead', NOW + 59 * SECOND],
  ])('takes a sign-in %s', (_, authTime) => {
    expect(user(authTime)).not.toThrow();
  });

  it.each([
    ['whose time is over', NOW - TEN_MINUTES],
    ['of the future', NOW + 60 * SECOND],
    ['of an issuer that counts in milliseconds', NOW * SECOND],
    ['without a time', undefined],
  ])('refuses a sign-in %s', (_, authTime) => {
    expect(user(authTime)).toThrow(expect.objectContaining({ error: 'insufficient_user_authentication' }));
  });

  it('asks no token', () => {
    expect(() => {
      freshness.require({ kind: 'token', id: 1, name: 'ci', scopes: new Set() });
    }).not.toThrow();
  });
});
