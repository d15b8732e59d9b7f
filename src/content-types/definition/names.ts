/** Keys of a record that the service sets. */
export const READ_ONLY_KEYS: ReadonlySet<string> = new Set(
  'id type url version created_at updated_at created_by updated_by'.split(' '),
);

const RESERVED_FIELD_NAMES = new Set([
  ...READ_ONLY_KEYS,
  ...'title slug body status locale published_at terms'.split(' '),
  ...'meta data error q page per_page sort filter fields cursor expand'.split(' '),
  // Refused in every body, so such a field could never be given a value.
  ...'constructor prototype'.split(' '),
]);

export function isReservedFieldName(text: string): boolean {
  return RESERVED_FIELD_NAMES.has(text) || text.startsWith('_');
}
