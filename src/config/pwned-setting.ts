import { withoutUser } from './urls/without-user.js';
import { oneOf } from './values/setting-parsers.js';
import type { SettingFaults } from './values/setting-faults.js';

const USUAL = 'https://api.pwnedpasswords.com/range/';

/** Where new passwords are looked for among leaked ones, with a slash at the end; `null`: nowhere. */
export function pwnedUrl(env: Readonly<Record<string, string | undefined>>, faults: SettingFaults): string | null {
  const isOn = oneOf('PWNED_CHECK', ['on', 'off'] as const, env.PWNED_CHECK, 'off', faults) === 'on';
  const url = env.PWNED_URL ?? USUAL;
  if (!isBase(url)) {
    faults.add(
      `PWNED_URL is "${withoutUser(url)}" and must be an address that five digits can be put behind: PWNED_URL=${USUAL}.`,
    );
  }
  if (!isOn) return null;
  return url.endsWith('/') ? url : `${url}/`;
}

function isBase(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password === '' && search === '' && hash === '';
}
