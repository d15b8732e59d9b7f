import type { Field } from '../kinds/field.js';
import { kindOf } from '../kinds/kinds.js';

/** The one form in which a valid value is kept, so that equal values are equal texts. */
export function normalise(field: Field, value: unknown): unknown {
  return value === null || value === undefined ? null : kindOf(field.type).normalise(value, field);
}
