import { STATUSES, type CompiledType } from '../../content-types/definition/content-type.js';
import type { Field } from '../../content-types/kinds/field.js';
import { canonicalLocale } from '../../common/text/locale.js';
import { composed } from '../../common/text/slug.js';
import { ignoresCase, isFilterable, withoutCase } from '../../content-types/definition/field-index.js';
import { kindOf } from '../../content-types/kinds/kinds.js';
import type { Comparison } from '../../content-types/kinds/shared/comparisons.js';
import { TERMS_KEY } from '../rows/record-row.js';

/** The way in which the values of a property compare. */
export type ValueKind = Comparison['kind'] | 'status' | 'term';

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
  /** The form in which texts are kept, where one may be sent in several; some were kept as they were sent. */
  readonly canonical?: (text: string) => string;
  /** Reads the value that a filter names, where its kind alone does not say how; `null`: it is none. */
  readonly parse?: Comparison['parse'];
  /** All values that there are, retired ones included. */
  readonly choices?: readonly string[];
  /** Makes equal what is one text to this property, which is compared and sorted in that form. */
  readonly folded?: (text: string) => string;
}

const column = (name: string, kind: ValueKind, options: Partial<Property> = {}): Property => ({
  name,
  kind,
  isNullable: false,
  isSortable: true,
  column: name,
  sortColumn: name,
  fieldKey: null,
  ...options,
});

const BUILT_IN = {
  id: column('id', 'number'),
  title: column('title', 'text', { sortColumn: 'title_key' }),
  slug: column('slug', 'text', { canonical: composed }),
  status: column('status', 'status', { choices: STATUSES }),
  locale: column('locale', 'text', { canonical: canonicalLocale }),
  version: column('version', 'number'),
  created_at: column('created_at', 'time'),
  updated_at: column('updated_at', 'time'),
  published_at: column('published_at', 'time', { isNullable: true }),
} as const satisfies Readonly<Record<string, Property>>;

/** All properties that every record has. */
export const BUILT_IN_PROPERTIES: readonly Property[] = Object.values(BUILT_IN);

/** A property that every record has. */
export function ownProperty(name: 'id' | 'slug' | 'created_at'): Property {
  return BUILT_IN[name];
}

/** The property of that name, or `null` where the type has none that can be searched by. */
export function propertyOf({ fieldsByName, taxonomies }: CompiledType, name: string): Property | null {
  if (Object.hasOwn(BUILT_IN, name)) return BUILT_IN[name as keyof typeof BUILT_IN];
  const field = fieldsByName.get(name);
  if (field) return isFilterable(field) ? fieldProperty(field) : null;
  return taxonomies.includes(name) ? taxonomyProperty(name) : null;
}

/** The terms of a taxonomy are found in the side index, as values of a field are. */
function taxonomyProperty(name: string): Property {
  return column(name, 'term', { isNullable: true, isSortable: false, column: 'num', fieldKey: TERMS_KEY });
}

function fieldProperty(field: Field): Property {
  const kind = kindOf(field.type);
  const { kind: comparedAs, column: own, parse } = kind.comparison(field);
  const canonical = kind.canonical(field);
  return {
    name: field.name,
    kind: comparedAs,
    isNullable: true,
    isSortable: kind.maxItems(field) === undefined,
    column: own,
    sortColumn: own === 'str' ? 'sort_key' : own,
    fieldKey: field.key,
    parse,
    ...(field.values ? { choices: [...field.values, ...(field.retired ?? [])] } : {}),
    ...(canonical ? { canonical } : {}),
    ...(ignoresCase(field) ? { folded: withoutCase } : {}),
  };
}
