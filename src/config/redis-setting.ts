import { hasReadableUser, strayPercent } from './urls/percent-decoded.js';
import type { SettingFaults } from './values/setting-faults.js';

const EXAMPLE = 'REDIS_URL=redis://:password@redis.example.com:6379/0';
/** The number of a database, where there is one. */
const PATH = /^\/?\d{0,3}$/;

/** A fault never repeats the value: it may hold a password. */
export function redisUrl(text: string | undefined, faults: SettingFaults): string | null {
  if (text === undefined) return null;
  if (!URL.canParse(text) || !isAddress(new URL(text))) {
    faults.add(`REDIS_URL is not the address of Redis. Use ${EXAMPLE}, or rediss:// for TLS.`);
    return null;
  }
  if (hasReadableUser(new URL(text))) return text;
  faults.add(strayPercent('REDIS_URL', 'redis://:100%25@redis.example.com:6379/0'));
  return null;
}

function isAddress({ protocol, hostname, pathname, search, hash }: URL): boolean {
  return /^rediss?:$/.test(protocol) && hostname !== '' && PATH.test(pathname) && search === '' && hash === '';
}
