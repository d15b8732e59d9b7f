import type { Field } from '../kinds/field.js';

/** The identity of a field of a type. */
interface Named {
  readonly id?: string;
  readonly name: string;
}

/** The fields of a type that others are to take the place of, in the order of these: known by the id, or else by the name. */
export function matchesOf(known: readonly Field[], fields: readonly Named[]): readonly (Field | undefined)[] {
  const claimed = new Set(fields.map(({ id }) => id));
  return fields.map((field) =>
    known.find(({ id, name }) => (field.id === undefined ? name === field.name && !claimed.has(id) : id === field.id)),
  );
}

/** A field as its definition says, without what is known of its row and its index. */
export function rulesOf({ key: _key, building: _building, isRekeyed: _isRekeyed, retired: _retired, ...rules }: Field) {
  return rules;
}
