const NAME = /^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/;

/** The name pattern as a JSON Schema wants it. */
export const NAME_PATTERN = NAME.source;
export const MAX_NAME_LENGTH = 64;

/** Words that stand, or may one day stand, where a type's name stands in a path. */
const RESERVED_TYPE_NAMES = new Set(
  (
    'types search taxonomy taxonomies - admin auth api cms users tokens roles media webhooks docs health sitemap ' +
    'revisions rollback draft publish new constructor prototype __proto__ null undefined true false'
  ).split(' '),
);

/** Keys of a record that the service sets. */
export const READ_ONLY_KEYS: ReadonlySet<string> = new Set(
  'id type terms url version created_at updated_at created_by updated_by'.split(' '),
);

const RESERVED_FIELD_NAMES = new Set([
  ...READ_ONLY_KEYS,
  ...'title slug body status locale published_at'.split(' '),
  ...'meta data error q page per_page sort filter fields cursor expand'.split(' '),
  // Refused in every body, so such a field could never be given a value.
  ...'constructor prototype'.split(' '),
]);

function isName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && NAME.test(text);
}

/** Whether a content type may have this name. */
export function isTypeName(text: string): boolean {
  return isName(text) && !isReservedTypeName(text);
}

export function isReservedTypeName(text: string): boolean {
  return RESERVED_TYPE_NAMES.has(text);
}

export function isReservedFieldName(text: string): boolean {
  return RESERVED_FIELD_NAMES.has(text) || text.startsWith('_');
}
