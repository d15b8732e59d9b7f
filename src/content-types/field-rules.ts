import type { FieldKind, FieldOptions } from './content-type.js';

type Rule = Exclude<keyof FieldOptions, 'label' | 'description' | 'required'>;

const TEXT: readonly Rule[] = ['min_length', 'max_length', 'pattern', 'default', 'searchable'];
const RANGE: readonly Rule[] = ['min', 'max', 'default', 'indexed', 'unique'];
const ADDRESS: readonly Rule[] = ['pattern', 'default', 'indexed', 'unique', 'searchable'];

/** Which rules make sense for which kind. Every field has a label, a description and `required`. */
const RULES: Readonly<Record<FieldKind, ReadonlySet<Rule>>> = {
  string: new Set([...TEXT, 'indexed', 'unique']),
  text: new Set(TEXT),
  markdown: new Set(TEXT),
  html: new Set(TEXT),
  integer: new Set(RANGE),
  number: new Set(RANGE),
  boolean: new Set<Rule>(['default', 'indexed']),
  date: new Set(RANGE),
  datetime: new Set(RANGE),
  email: new Set([...ADDRESS, 'exact']),
  url: new Set(ADDRESS),
  enum: new Set<Rule>(['values', 'default', 'indexed', 'unique', 'searchable']),
  json: new Set<Rule>(['default']),
  list: new Set<Rule>(['of', 'min_length', 'max_length', 'default', 'indexed']),
  relation: new Set<Rule>(['to', 'many', 'indexed', 'unique', 'min_length', 'max_length']),
};

/** Rules of a list that are about its items. */
const ITEM_RULES: ReadonlySet<string> = new Set<Rule>(['min', 'max', 'pattern', 'values', 'searchable']);
/** Rules of a relation that depend on whether it points to one record or to many. */
const TO_ONE: ReadonlySet<string> = new Set<Rule>(['unique']);
const TO_MANY: ReadonlySet<string> = new Set<Rule>(['min_length', 'max_length']);

/** Rules of fields that are unique. */
const OF_UNIQUE: ReadonlySet<string> = new Set<Rule>(['exact']);

interface Shape {
  readonly type: FieldKind;
  readonly of?: FieldKind;
  readonly many?: boolean;
  readonly unique?: boolean;
}

/** Whether a rule can be given to a field of a kind, which for a list depends on the kind of its items. */
export function isApplicable(rule: string, shape: Shape): boolean {
  const { type, of } = shape;
  if (isExcluded(rule, shape)) return false;
  if (hasRule(type, rule)) return true;
  return type === 'list' && of !== undefined && ITEM_RULES.has(rule) && hasRule(of, rule);
}

function isExcluded(rule: string, { type, many, unique }: Shape): boolean {
  if (OF_UNIQUE.has(rule)) return unique !== true;
  return type === 'relation' && (many === true ? TO_ONE : TO_MANY).has(rule);
}

function hasRule(kind: FieldKind, rule: string): boolean {
  return RULES[kind].has(rule as Rule);
}

const TEXTS: readonly FieldKind[] = ['string', 'text', 'markdown', 'html'];
const SHORT_TEXTS: readonly FieldKind[] = ['email', 'url', 'enum'];

/** Whether every value of one kind can stand as it is as a value of another kind. */
export function isCompatibleKind(from: FieldKind, to: FieldKind): boolean {
  if (from === to || (from === 'integer' && to === 'number')) return true;
  return TEXTS.includes(to) && (TEXTS.includes(from) || SHORT_TEXTS.includes(from));
}
