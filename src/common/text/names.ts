import { head } from './fold.js';

const NAME = /^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/;

export const NAME_PATTERN = NAME.source;
export const MAX_NAME_LENGTH = 64;
export const MAX_LABEL_LENGTH = 255;

/** Words that stand, or may one day stand, where the name of a content type or of a taxonomy stands in a path. */
const RESERVED_NAMES = new Set(
  (
    'types search taxonomy taxonomies - admin auth api cms users tokens roles media webhooks docs health sitemap ' +
    'revisions rollback draft publish new constructor prototype __proto__ null undefined true false'
  ).split(' '),
);

/** A client that has a member for each content type could not be awaited: JavaScript would take it for a promise. */
const AWAITED = 'then';

export function isOwnName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && NAME.test(text) && !RESERVED_NAMES.has(text);
}

/** Names that nothing new may have; what is called so already is still found. */
export function isReservedName(text: string): boolean {
  return RESERVED_NAMES.has(text) || text === AWAITED;
}

/** The label for people where none is given: `'blog-post'` -> `'Blog post'` */
export function labelOf(name: string): string {
  const words = name.replace(/[-_]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The label of several where none is given, no longer than a label may be: `'Blog post'` -> `'Blog posts'` */
export function pluralOf(label: string): string {
  return `${head(label, MAX_LABEL_LENGTH - 1)}s`;
}

/** The id that a text stands for; `null` where it can be none, or one that no number holds exactly. */
export function idOf(text: string): number | null {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? id : null;
}

/** Greatest id that a restored database goes on from; the search has room up to four times as much. */
export const MAX_ID = 2 ** 38;
