import { booleanKind } from './boolean.js';
import { dateKind } from './date.js';
import { datetimeKind } from './datetime.js';
import { emailKind } from './email.js';
import { enumKind } from './enum.js';
import { htmlKind } from './html.js';
import { integerKind } from './integer.js';
import { jsonKind } from './json.js';
import { defineKind, type KindDefinition, type ScalarDefinition } from './kind-definition.js';
import { listOf } from './list.js';
import { markdownKind } from './markdown.js';
import { numberKind } from './number.js';
import { relationKind } from './relation.js';
import { stringKind } from './string.js';
import { textKind } from './text.js';
import { urlKind } from './url.js';

/** A kind that only a later release knows: values are read and kept as they are, and none can be written. */
const UNKNOWN = defineKind({
  takes: () => false,
  schema: () => {
    throw new Error('The kind of a field belongs to a later release of the service.');
  },
  sample: () => undefined,
});

/** The kinds of fields, in the order of the documentation. A new kind is a file beside this one, and a line here. */
const KINDS = {
  string: stringKind,
  text: textKind,
  markdown: markdownKind,
  html: htmlKind,
  integer: integerKind,
  number: numberKind,
  boolean: booleanKind,
  date: dateKind,
  datetime: datetimeKind,
  email: emailKind,
  url: urlKind,
  enum: enumKind,
  json: jsonKind,
  list: listOf(itemKind),
  relation: relationKind,
} satisfies Record<string, KindDefinition>;

export type FieldKind = keyof typeof KINDS;

/** Kinds that the items of a `list` can have. */
export type ScalarKind = {
  [Kind in FieldKind]: (typeof KINDS)[Kind] extends ScalarDefinition ? Kind : never;
}[FieldKind];

/** The kinds by name, which in rows, files and bodies may be anything. */
const BY_NAME: ReadonlyMap<string, KindDefinition> = new Map(Object.entries(KINDS));

export const FIELD_KINDS = Object.keys(KINDS) as readonly FieldKind[]; // the names are the keys
export const SCALAR_KINDS = FIELD_KINDS.filter((kind): kind is ScalarKind => kindOf(kind).isScalar);
/** Kinds whose values point to records. */
export const REFERENCE_KINDS: readonly FieldKind[] = FIELD_KINDS.filter((kind) => kindOf(kind).isReference);

/** The definition of the kind of that name. */
export function kindOf(name: string): KindDefinition {
  return BY_NAME.get(name) ?? UNKNOWN;
}

/** Items are texts where the field does not say otherwise. */
function itemKind(of = 'string'): KindDefinition {
  return kindOf(of);
}

/** Tells whether every value of one kind can stand as it is as a value of another kind. */
export function isCompatibleKind(from: FieldKind, to: FieldKind): boolean {
  return from === to || kindOf(from).fitsInto.includes(to);
}
