import type { CompiledType, Field } from '../content-types/content-type.js';
import { indexColumn, isFilterable } from '../content-types/field-index.js';

/** How the values of a property compare. */
export type ValueKind = 'number' | 'time' | 'text' | 'boolean';

/** Something that a list can be filtered or sorted by: a column of `records`, or an indexed field of the type. */
export interface Property {
  readonly name: string;
  readonly kind: ValueKind;
  readonly isNullable: boolean;
  readonly isSortable: boolean;
  /** Column of `records` that is compared; for a field of the type, the column of `record_fields`. */
  readonly column: string;
  /** Column of `records` that is sorted by, where it is another one. */
  readonly sortColumn: string;
  /** Number of the field of the type; `null` for a column of `records`. */
  readonly fieldKey: number | null;
}

const column = (name: string, kind: ValueKind, options: Partial<Property> = {}): readonly [string, Property] => [
  name,
  { name, kind, isNullable: false, isSortable: true, column: name, sortColumn: name, fieldKey: null, ...options },
];

const BUILT_IN = new Map<string, Property>([
  column('id', 'number'),
  column('title', 'text', { sortColumn: 'title_key' }),
  column('slug', 'text'),
  column('status', 'text'),
  column('locale', 'text'),
  column('version', 'number'),
  column('created_at', 'time'),
  column('updated_at', 'time'),
  column('published_at', 'time', { isNullable: true }),
]);

/** The property of that name, or `null` where the type has none that can be searched by. */
export function ownProperty(name: 'id'): Property;
export function ownProperty(name: string, type: CompiledType): Property | null;
export function ownProperty(name: string, type?: CompiledType): Property | null {
  const field = type?.fieldsByName.get(name);
  return BUILT_IN.get(name) ?? (field && isFilterable(field) ? fieldProperty(field) : null);
}

function fieldProperty(field: Field): Property {
  const sortColumn = indexColumn(field);
  return {
    name: field.name,
    kind: kindOf(field),
    isNullable: true,
    isSortable: field.type !== 'list' && !field.many,
    column: sortColumn,
    sortColumn,
    fieldKey: field.key,
  };
}

function kindOf(field: Field): ValueKind {
  const kind = field.type === 'list' ? field.of : field.type;
  if (kind === 'boolean') return 'boolean';
  if (kind === 'date' || kind === 'datetime') return 'time';
  return indexColumn(field) === 'num' ? 'number' : 'text';
}
