const UNITS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const clock = new Intl.DateTimeFormat('en', { timeStyle: 'short' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** A moment as people say it: `2026-01-30T12:00:00.000Z` -> `2 hours ago`. @param now milliseconds since 1970 */
export function relativeTime(instant: string, now: number): string {
  const seconds = (Date.parse(instant) - now) / 1_000;
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length);
  return unit ? relative.format(Math.round(seconds / unit[1]), unit[0]) : 'just now';
}

/** A moment of today by its time alone, `1:00 PM`, any other as {@link exactTime} says it. @param now milliseconds since 1970 */
export function clockTime(instant: string, now: number): string {
  const date = new Date(instant);
  const isToday = date.toDateString() === new Date(now).toDateString();
  return isToday ? clock.format(date) : exact.format(date);
}

/** A moment to the minute, in the time of this device: `Jan 30, 2026, 1:00 PM`. */
export function exactTime(instant: string): string {
  return exact.format(new Date(instant));
}

/** A waiting time in words: `90` -> `2 minutes`. */
export function waitText(seconds: number): string {
  const [n, unit] = seconds < 60 ? [Math.ceil(seconds), 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${n} ${unit}${n === 1 ? '' : 's'}`;
}
