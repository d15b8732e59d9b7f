import type { Field } from '../kinds/field.js';
import { kindOf } from '../kinds/kinds.js';

/** What was sent in the form in which it is checked and kept; what has none stays as it is. */
export function canonical({ type, ...shape }: Pick<Field, 'type' | 'of'>, value: unknown): unknown {
  const form = kindOf(type).canonical(shape);
  if (!form) return value;
  const formOf = (item: unknown): unknown => (typeof item === 'string' ? form(item) : item);
  return Array.isArray(value) ? value.map(formOf) : formOf(value);
}

/** The one form in which a valid value is kept, so that equal values are equal texts. */
export function normalise(field: Field, value: unknown): unknown {
  return value === null || value === undefined ? null : kindOf(field.type).normalise(value, field);
}
