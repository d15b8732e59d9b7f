import type { TypeOptions } from './content-type.js';

type Addressing = Pick<TypeOptions, 'url_path'>;

/**
 * Tells whether records of one slug in several locales would have one address, so that the type can have one of them only:
 * the address has neither the locale nor the id of a record.
 */
export function sharesAddresses({ url_path: path }: Addressing): boolean {
  return !/\{(?:id|locale)\}/.test(path);
}

const PLACE = /\{\w+\}/;
/** Values that a place can have. A language has two or three letters, so `/{locale}/x` is not `/about/x`. */
const VALUES: ReadonlyMap<string, RegExp> = new Map([
  ['{id}', /^\d+$/],
  ['{locale}', /^[a-z]{2,3}(?:-\w+)*$/],
]);

/** Tells whether a record of one type can have the address of a record of the other. */
export function canShareAddress(one: Addressing & { name: string }, other: Addressing & { name: string }): boolean {
  const [path = '', otherPath = ''] = [one, other].map(({ url_path, name }) => url_path.replaceAll('{type}', name));
  // No two records have one id.
  if (path === otherPath && path.includes('{id}')) return false;
  const [parts, otherParts] = [path.split('/'), otherPath.split('/')];
  return parts.length === otherParts.length && parts.every((part, at) => canMeet(part, otherParts[at] ?? ''));
}

/** Compares the texts before the first place and behind the last one. */
function canMeet(part: string, other: string): boolean {
  if (!PLACE.test(part) && !PLACE.test(other)) return part === other;
  for (const [place, text] of [
    [part, other],
    [other, part],
  ] as const) {
    if (!PLACE.test(text) && VALUES.get(place)?.test(text) === false) return false;
  }
  const [texts, otherTexts] = [part.split(PLACE), other.split(PLACE)];
  return areAlike('startsWith', texts.at(0), otherTexts.at(0)) && areAlike('endsWith', texts.at(-1), otherTexts.at(-1));
}

function areAlike(by: 'startsWith' | 'endsWith', one = '', other = ''): boolean {
  return one[by](other) || other[by](one);
}
