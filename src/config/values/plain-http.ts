import { withoutUser } from '../urls/without-user.js';
import { isLoopback } from './loopback.js';
import { list, oneOf } from './setting-parsers.js';
import type { SettingFaults } from './setting-faults.js';

/** Settings with addresses that browsers are sent to, whose pages may hold tokens, or that learn of new passwords. */
const NAMES = [
  'PUBLIC_URL',
  'MAGIC_LINK_URL',
  'PASSWORD_URL',
  'CORS_ORIGINS',
  'REDIRECT_ALLOW_LIST',
  'PWNED_URL',
] as const;

/**
 * Refuses addresses over plain http in production, but for those of this machine and where `ALLOW_HTTP` is `yes`.
 * Schemes of apps (`com.example.app:`) pass no network.
 */
export function requireHttps(
  env: Readonly<Record<string, string | undefined>>,
  isProduction: boolean,
  faults: SettingFaults,
): void {
  const isAllowed = oneOf('ALLOW_HTTP', ['yes', 'no'] as const, env.ALLOW_HTTP, 'no', faults) === 'yes';
  if (!isProduction || isAllowed) return;
  for (const name of NAMES) {
    for (const address of list(env[name]).filter(isPlain)) {
      faults.add(
        `${name} has ${withoutUser(address)}: over plain http, tokens and passwords can be read on the way. Use https, or set ALLOW_HTTP=yes on a network of your own.`,
      );
    }
  }
}

function isPlain(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !isLoopback(hostname);
}
