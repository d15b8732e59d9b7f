import { emailAddress } from '../text/email-address.js';

export const MAX_URL_LENGTH = 2_000;
/** Pattern of one line. The same for every engine, where `\P{Cc}` wants a flag that many validators do not set. */
export const NO_CONTROLS = '^[^\\x00-\\x1f\\x7f-\\x9f]*$';
/** Databases disagree on whether a text with one of them comes before or after the same text without it. */
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f]/;
const MAX_INSTANT_LENGTH = 40;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const INSTANT =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
const URL_PROTOCOLS = new Set(['http:', 'https:', 'mailto:']);

/** True if a text has control characters that are neither tabs nor line ends. */
export function hasControls(text: string): boolean {
  return CONTROLS.test(text);
}

/** True if a text is a day that the calendar has: `2024-02-29`, and not `2023-02-29`. */
export function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined || year === '0000') return false;
  const date = new Date(`${text}T00:00:00Z`);
  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
}

/** True if a text is a moment, which takes a date, a time and an offset: `2024-02-29T12:00:00+02:00`. */
export function isInstant(text: string): boolean {
  if (text.length > MAX_INSTANT_LENGTH) return false;
  const [, date] = INSTANT.exec(text) ?? [];
  return date !== undefined && isDate(date) && hasFourDigitYear(Date.parse(text.toUpperCase()));
}

/** `2024-02-29t12:00:00+02:00` -> `2024-02-29T10:00:00.000Z` */
export function canonicalInstant(text: string): string {
  return new Date(text.toUpperCase()).toISOString();
}

/** Near the ends of the calendar an offset can lead out of it. */
function hasFourDigitYear(time: number): boolean {
  const year = new Date(time).getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/** True if a text is an address as those of accounts are. */
export function isEmail(text: string): boolean {
  return emailAddress(text) !== null;
}

/** True if a text is an absolute address of the web or of a mailbox. Others, such as `javascript:`, are traps in a page. */
export function isUrl(text: string): boolean {
  if (text.length > MAX_URL_LENGTH || /[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return false;
  return URL_PROTOCOLS.has(new URL(text).protocol) && /^(?:https?:\/\/|mailto:)/i.test(text);
}

/** True if a reader sees anything of a text: neither spaces nor joiners and other marks without a width are seen. */
export function isVisible(text: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
}
