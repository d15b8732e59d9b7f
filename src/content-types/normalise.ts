import type { Field, FieldKind } from './content-type.js';
import { canonicalInstant } from '../common/schema/formats.js';

/** A record that a relation points to. */
export interface Reference {
  readonly id: number;
  readonly type: string;
}

/** The one form in which a valid value is kept, so that equal values are equal texts. */
export function normalise(field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (field.type === 'relation') return field.many === true ? references(field, value) : reference(field, value);
  if (field.type === 'list') return (value as unknown[]).map((item) => scalar(field.of ?? 'string', item));
  return scalar(field.type, value);
}

function scalar(kind: FieldKind, value: unknown): unknown {
  if (typeof value === 'number' && kind !== 'json') return value + 0; // -0 is 0
  return kind === 'datetime' ? canonicalInstant(value as string) : value;
}

function reference(field: Field, value: unknown): Reference {
  const { id, type } = (typeof value === 'number' ? { id: value } : value) as Partial<Reference> & { id: number };
  return { id, type: type ?? field.to?.[0] ?? '' };
}

/** The records a relation points to, each once and in the order of the body. */
function references(field: Field, value: unknown): Reference[] {
  const all = (value as unknown[]).map((item) => reference(field, item));
  return [...new Map(all.map((one) => [`${one.type} ${one.id}`, one])).values()];
}
