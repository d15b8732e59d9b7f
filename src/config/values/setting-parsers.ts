import { hasLineControls } from '../../common/text/one-line.js';
import { withoutUser } from '../urls/without-user.js';
import type { SettingFaults } from './setting-faults.js';

/** Longest name that people read, characters. */
export const MAX_NAME = 100;

export function integer(
  name: string,
  text: string | undefined,
  fallback: number,
  { min, max }: { min: number; max: number },
  faults: SettingFaults,
): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  faults.add(`${name} is "${text}" and must be a whole number from ${min} to ${max}, for example ${name}=${fallback}.`);
  return fallback;
}

/** A name that people read. */
export function oneLine(name: string, text: string | undefined, fallback: string, faults: SettingFaults): string {
  const line = text?.trim() ?? '';
  if (line.length > MAX_NAME || hasLineControls(line)) {
    faults.add(`${name} must be one line of at most ${MAX_NAME} characters: ${name}=Example.`);
  }
  return line === '' ? fallback : line;
}

export function oneOf<Value extends string>(
  name: string,
  values: readonly Value[],
  text: string | undefined,
  fallback: Value,
  faults: SettingFaults,
): Value {
  if (text === undefined) return fallback;
  const found = values.find((value) => value === text);
  if (found === undefined) faults.add(`${name} is "${text}" and must be one of: ${values.join(', ')}.`);
  return found ?? fallback;
}

/** The text as an origin (`https://host[:port]`), or `null` where it is anything else. */
function asOrigin(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, origin: found, username, password, pathname, search, hash } = new URL(text);
  const isPlain = !text.includes('*') && username + password === '' && pathname === '/' && search === '' && hash === '';
  return /^https?:$/.test(protocol) && isPlain ? found : null;
}

export function origin(name: string, text: string | undefined, fallback: string, faults: SettingFaults): string {
  if (text === undefined) return fallback;
  const found = asOrigin(text);
  if (found === null) {
    const path = name === 'PUBLIC_URL' && URL.canParse(text) ? new URL(text).pathname.replace(/\/$/, '') : '';
    const hint = path === '' ? '' : ` The path goes into BASE_PATH=${path}.`;
    faults.add(
      `${name} is "${withoutUser(text)}" and must be an address without a path, user or password: ${name}=https://cms.example.com.${hint}`,
    );
  }
  return found ?? fallback;
}

export function origins(name: string, text: string | undefined, faults: SettingFaults): string[] {
  const entries = list(text);
  for (const entry of entries.filter((candidate) => asOrigin(candidate) === null)) {
    faults.add(
      `${name} has "${withoutUser(entry)}" and takes exact origins: ${name}=https://app.example.com,https://www.example.com.`,
    );
  }
  return entries.map((entry) => asOrigin(entry) ?? entry);
}

export function list(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** Names of HTTP headers, separated by commas. */
export function headerNames(name: string, text: string | undefined, faults: SettingFaults): string[] {
  const entries = list(text);
  for (const entry of entries.filter((candidate) => !/^[\w!#$%&'*+.^`|~-]+$/.test(candidate)))
    faults.add(`${name} has "${entry}" and takes names of headers: ${name}=X-Tenant,X-Client.`);
  return entries;
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3_600, d: 86_400 };

/** A length of time in seconds: `900`, `15m`, `12h` or `14d`. */
export function duration(name: string, text: string | undefined, fallback: number, faults: SettingFaults): number {
  if (text === undefined) return fallback;
  const [, count = '', unit = ''] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? [];
  const seconds = Number(count) * (UNIT_SECONDS[unit] ?? 0);
  if (seconds > 0) return seconds;
  faults.add(`${name} is "${text}" and must be a length of time such as ${name}=900, ${name}=12h or ${name}=14d.`);
  return fallback;
}

/** An address on the web that may have a path and a query; `null` where none is set. */
export function address(name: string, text: string | undefined, faults: SettingFaults): string | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const fits = url && /^https?:$/.test(url.protocol) && url.username + url.password === '' && url.hash === '';
  if (!fits)
    faults.add(
      `${name} is "${withoutUser(text)}" and must be an address such as ${name}=https://console.example.com/sign-in.`,
    );
  return text;
}
