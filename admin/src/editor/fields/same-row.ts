import { isSame } from '../saving/copy-writer.js';

/** Props that come anew with each answer of the service, though they say the same. */
const BY_VALUE: ReadonlySet<string> = new Set(['value', 'known', 'faults', 'held', 'field']);

/** Tells whether a row of a form looks as before. */
export function isSameRow(before: object, after: object): boolean {
  const [old, now] = [before, after] as Readonly<Record<string, unknown>>[];
  const names = Object.keys({ ...before, ...after });
  return names.every((name) => {
    const [one, other] = [old?.[name], now?.[name]];
    return Object.is(one, other) || (BY_VALUE.has(name) && isSame(one, other));
  });
}
