import { isOpen, withoutUser } from './addresses.js';
import type { SettingReader } from './setting-reader.js';

/** Settings with addresses that browsers are sent to, whose pages may hold tokens, or that learn of new passwords. */
const NAMES = ['PUBLIC_URL', 'MAGIC_LINK_URL', 'PASSWORD_URL', 'CORS_ORIGINS', 'REDIRECT_ALLOW_LIST', 'PWNED_CHECK'];

/**
 * Refuses addresses over plain http in production, but for those of this machine and where `ALLOW_HTTP` is `yes`.
 * Schemes of apps (`com.example.app:`) pass no network.
 */
export function requireHttps(reader: SettingReader, isProduction: boolean): void {
  const isAllowed = reader.oneOf('ALLOW_HTTP', ['yes', 'no'], 'no') === 'yes';
  if (!isProduction || isAllowed) return;
  for (const name of NAMES) {
    for (const address of reader.list(name).filter((one) => URL.canParse(one) && isOpen(new URL(one)))) {
      reader.fault(
        `${name} has ${withoutUser(address)}: over plain http, tokens and passwords can be read on the way. Use https, or set ALLOW_HTTP=yes on a network of your own.`,
      );
    }
  }
}
