import type { Quota, Budgets } from '../common/rate-limits/budgets.js';
import { hasReadableUser, strayPercent } from './values/addresses.js';
import { entriesOf, type SettingReader } from './values/setting-reader.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const MOST = 10_000;
/** Each reads one row by its hash. */
const TOKEN_SEARCHES = 5;
/** Each reads one row by its hash, and shows a link with 32 random bytes. */
const LOCK_DOWNS = 60;

/** Requests of each budget that `RATE_LIMITS` can change, and mails. */
const USUAL = {
  auth: 60,
  login: 10,
  send: 5,
  send_hourly: 20,
  verify: 10,
  refresh: 60,
  bad_tokens: 60,
  users: 60,
  mails_hourly: 500,
};

/** Reads how many requests each budget has: `on`, `off`, or a list of those that differ: `login=20,send=5`. */
export function limitSettings(reader: SettingReader) {
  const text = reader.text('RATE_LIMITS') ?? 'on';
  const requests = { ...USUAL, ...(text === 'on' || text === 'off' ? {} : changesOf(text, reader)) };
  const isOff = text === 'off';
  const limit = (count: number, within = MINUTE_MS): Quota => ({ requests: isOff ? 0 : count, within });
  const limits: Budgets = {
    auth: [limit(requests.auth)],
    login: [limit(requests.login)],
    send: [limit(requests.send), limit(requests.send_hourly, HOUR_MS)],
    verify: [limit(requests.verify)],
    // Not to be changed: with the way out of an account there is nothing to tune.
    lockDown: [limit(LOCK_DOWNS)],
    refresh: [limit(requests.refresh)],
    badTokens: [limit(requests.bad_tokens)],
    // A second and not a minute: those who share an address with a flood get through when they try again.
    tokenSearches: [limit(TOKEN_SEARCHES, 1_000)],
    users: [limit(requests.users)],
  };
  return {
    /** Requests within a time. The limits of an account are not among them. */
    limits,
    /** Mails that anybody can ask for and that may leave in an hour, all together; 0: any number. */
    mailsPerHour: isOff ? 0 : requests.mails_hourly,
  };
}

function changesOf(text: string, reader: SettingReader): Partial<typeof USUAL> {
  const changes = entriesOf(text).map((entry) => /^(\w+)=(\d{1,5})$/.exec(entry) ?? [entry, '', '']);
  const unfit = changes.filter(([, name = '', count]) => !Object.hasOwn(USUAL, name) || Number(count) > MOST);
  if (unfit.length > 0 || changes.length === 0) {
    reader.fault(
      `RATE_LIMITS has "${unfit.map(([entry]) => entry).join(',')}" and takes on, off, or numbers from 0 to ${MOST} for some of ${Object.keys(USUAL).join(', ')}: RATE_LIMITS=login=20,send=5.`,
    );
  }
  return Object.fromEntries(changes.map(([, name = '', count]): [string, number] => [name, Number(count)]));
}

const REDIS_EXAMPLE = 'REDIS_URL=redis://:password@redis.example.com:6379/0';
/** The number of a database, where there is one. */
const REDIS_PATH = /^\/?\d{0,3}$/;

/** Reads where all instances count requests together; `null`: nowhere. A fault never repeats it: it may hold a password. */
export function redisUrl(reader: SettingReader): string | null {
  const text = reader.text('REDIS_URL');
  if (text === undefined) return null;
  if (!URL.canParse(text) || !isRedis(new URL(text))) {
    reader.fault(`REDIS_URL is not the address of Redis. Use ${REDIS_EXAMPLE}, or rediss:// for TLS.`);
    return null;
  }
  if (hasReadableUser(new URL(text))) return text;
  reader.fault(strayPercent('REDIS_URL', 'redis://:100%25@redis.example.com:6379/0'));
  return null;
}

function isRedis({ protocol, hostname, pathname, search, hash }: URL): boolean {
  return /^rediss?:$/.test(protocol) && hostname !== '' && REDIS_PATH.test(pathname) && search === '' && hash === '';
}
