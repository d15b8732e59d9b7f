import { fold, head } from '../../common/text/fold.js';

/** Levels of a tree; a term without a parent stands on the first one. */
export const MAX_DEPTH = 10;
export const MAX_POSITION = 1_000_000_000;

const MAX_NAME_KEY = 255;
/** Ten levels have to fit into the column. */
const MAX_ORDER_NAME = 48;
/** Ends the parts of a sort key; sorts before every character that a part can have. */
const END = '!';
/** Sorts behind every character that a level of a sort key can begin with. */
export const BEHIND_ALL = '~';

/** The place of a term among those with the same parent. */
export interface Placed {
  readonly position: number;
  readonly name: string;
}

/** The form of a name that is searched by its beginning: `'Čas a práce'` -> `'cas a prace'` */
export function nameKey(name: string): string {
  return head(fold(name).trimStart(), MAX_NAME_KEY);
}

/**
 * The beginning of a term's own part of its sort key. The id, which is known when the term is there, is added by
 * {@link endOfKey}: it keeps the subtrees of two terms apart that have the same place and name.
 */
export function startOfKey({ position, name }: Placed): string {
  // Nothing sorts before the end of a part, so that "new" stands before "new york".
  const order = head(nameKey(name), MAX_ORDER_NAME).replace(/[\0-!]+/g, '"');
  return position.toString(16).padStart(8, '0') + order;
}

/** The end of a sort key that {@link startOfKey} has begun. */
export function endOfKey(id: number): string {
  return `${END}${id}${END}`;
}

/**
 * Orders the terms of a taxonomy as a tree is read: a term, then those under it; siblings by position, then by name.
 * The key of everything under a term begins with the key of the term.
 */
export function sortKey(parentKey: string, id: number, place: Placed): string {
  return parentKey + startOfKey(place) + endOfKey(id);
}

/** The limit behind a term and everything under it. */
export function behind(key: string): string {
  return key + BEHIND_ALL;
}

/** As a database counts. */
export function codePoints(text: string): number {
  return Array.from(text).length;
}
