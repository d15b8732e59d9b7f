import { idOf } from '../../common/text/names.js';
import { composed } from '../../common/text/slug.js';
import type { SqlValue } from '../../database/statements/statement.js';

const BY_SLUG = 'slug:';

/** The term that a path names: a column of `terms` and its value. */
export interface TermReference {
  readonly column: 'id' | 'slug';
  readonly value: SqlValue;
}

/** `'42'`, or `'slug:news'`; `null` for what can be no term. */
export function termReference(text: string): TermReference | null {
  if (text.startsWith(BY_SLUG)) return { column: 'slug', value: composed(text.slice(BY_SLUG.length)) };
  const id = idOf(text);
  return id === null ? null : { column: 'id', value: id };
}
