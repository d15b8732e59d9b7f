import { guessableSecret } from './guessable-secret.js';
import type { SettingFaults } from './setting-faults.js';

const MIN_BYTES = 32;
/** Stands in for `APP_SECRET` where nothing is worth protecting; production refuses to start with it. */
export const PLAY_SECRET = 'not-a-secret-only-for-demo-and-tests';
const MAKE_ONE = 'Make one: APP_SECRET=$(openssl rand -hex 32).';

/** Checks `APP_SECRET`. A fault never repeats it. */
export function appSecret(text: string | undefined, isProduction: boolean, faults: SettingFaults): string {
  if (text === undefined) {
    if (isProduction) faults.add(`APP_SECRET is not set. ${MAKE_ONE}`);
    return PLAY_SECRET;
  }
  checkSecret('APP_SECRET', text, isProduction, faults);
  return text;
}

/** The secret before `APP_SECRET`; the one of the demo is allowed, so that its database can be taken over. */
export function formerSecret(
  text: string | undefined,
  { APP_SECRET: present }: Readonly<Record<string, string | undefined>>,
  faults: SettingFaults,
): string | null {
  if (text === undefined) return null;
  if (text === present)
    faults.add('APP_SECRET_OLD is the same as APP_SECRET. Set it to the former secret, or not at all.');
  else checkLength('APP_SECRET_OLD', text, faults);
  return text;
}

function checkSecret(name: string, text: string, isProduction: boolean, faults: SettingFaults): void {
  if (!checkLength(name, text, faults) || !isProduction) return;
  if (text === PLAY_SECRET) {
    faults.add(`${name} is that of the demo, which is public. ${MAKE_ONE}`);
    return;
  }
  const weakness = guessableSecret(text);
  if (weakness !== null) faults.add(`${name} ${weakness}, so it can be guessed. ${MAKE_ONE}`);
}

function checkLength(name: string, text: string, faults: SettingFaults): boolean {
  const bytes = Buffer.byteLength(text);
  if (bytes >= MIN_BYTES) return true;
  faults.add(`${name} has ${bytes} bytes and needs ${MIN_BYTES} or more. ${MAKE_ONE}`);
  return false;
}
