import type { Allowed, Budgets } from '../common/rate-limits/budgets.js';
import { integer } from './values/setting-parsers.js';
import type { SettingFaults } from './values/setting-faults.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const MOST = 10_000;
/** Each reads one row by its hash. */
const TOKEN_SEARCHES = 5;
/** Each reads one row by its hash, and shows a link with 32 random bytes. */
const LOCK_DOWNS = 60;

/**
 * How many requests each budget has.
 *
 * @param isOn whether requests are limited at all
 */
export function limitSettings(
  env: Readonly<Record<string, string | undefined>>,
  isOn: boolean,
  faults: SettingFaults,
): Budgets {
  const limit = (name: string, fallback: number, within = MINUTE_MS): Allowed => {
    const requests = integer(name, env[name], fallback, { min: 0, max: MOST }, faults);
    return { requests: isOn ? requests : 0, within };
  };
  return {
    auth: [limit('LIMIT_AUTH', 60)],
    login: [limit('LIMIT_LOGIN', 10)],
    send: [limit('LIMIT_SEND', 5), limit('LIMIT_SEND_HOURLY', 20, HOUR_MS)],
    verify: [limit('LIMIT_VERIFY', 10)],
    // No setting: with the way out of an account there is nothing to tune.
    lockDown: [{ requests: isOn ? LOCK_DOWNS : 0, within: MINUTE_MS }],
    refresh: [limit('LIMIT_REFRESH', 60)],
    badTokens: [limit('LIMIT_BAD_TOKENS', 60)],
    // A second and not a minute: those who share an address with a flood get through when they try again.
    tokenSearches: [{ requests: isOn ? TOKEN_SEARCHES : 0, within: 1_000 }],
    users: [limit('LIMIT_USERS', 60)],
  };
}
