const MOMENT =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?(?:\s*(Z|UTC|GMT|[+-]\d{1,2}(?::?\d{2})?))?$/i;
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
/** `Jul 08 2022`, `January 2, 2020 9:30`, `2 Jan 2020`, `Mon, 02 Jan 2006 15:04:05 -0700` */
const IN_WORDS =
  /^(?:[a-z]{3,9},?\s+)??(?:(?<day>\d{1,2})(?:st|nd|rd|th)?\s+(?<month>[a-z]{3,9})\.?|(?<first>[a-z]{3,9})\.?\s+(?<then>\d{1,2})(?:st|nd|rd|th)?),?\s+(?<year>\d{4}),?(?<rest>\D.*)?$/i;
const OFFSET = /^([+-])(\d{1,2}?)(?::?(\d{2}))?$/;
const MINUTE_MS = 60_000;

type Six = [number, number, number, number, number, number];

/**
 * Milliseconds since 1970 of a moment as people write it, in UTC without an offset; `null`: it is none of the calendar.
 * `2024-02-29 9:30`, `2024-02-29T09:30:00-05:00`, `2024-02-29 09:30:00 -5`, `February 29, 2024`
 */
export function momentOf(text: string): number | null {
  const match = MOMENT.exec(inDigits(text.trim()));
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match
    .slice(1, 7)
    .map((part: string | undefined) => Number(part ?? 0)) as Six;
  const [fraction = '', zone] = match.slice(7);
  if (!isDay(year, month, day) || hour > 23 || minute > 59 || second > 59) return null;
  const at = new Date(Date.UTC(2000, 0, 1, hour, minute, second, Number(fraction.padEnd(3, '0').slice(0, 3))));
  return at.setUTCFullYear(year, month - 1, day) - offset(zone);
}

/** `2 Jan 2020 9:30` -> `2020-1-2 9:30`; a text that names no month stays as it is. */
function inDigits(text: string): string {
  const { day, month, first, then, year, rest = '' } = IN_WORDS.exec(text)?.groups ?? {};
  const name = (month ?? first)?.toLowerCase().replace(/^sept$/, 'sep');
  const index = MONTHS.findIndex((one) => name !== undefined && one.startsWith(name));
  return index === -1 ? text : `${String(year)}-${index + 1}-${String(day ?? then)}${rest}`;
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** `-5`, `-05`, `-0530` and `-05:30` -> milliseconds */
function offset(zone = 'Z'): number {
  const [, sign, hours = '0', minutes = '0'] = OFFSET.exec(zone) ?? [];
  const size = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  return sign === '-' ? -size : size;
}
