import type { Field, FieldKind, ScalarKind } from './content-type.js';
import { MAX_EMAIL_LENGTH, MAX_URL_LENGTH } from '../common/schema/formats.js';
import { compact, type JsonSchema } from '../common/schema/json-schema.js';

/** The most characters of a text field that says nothing else. */
const DEFAULT_STRING_LENGTH = 255;
/** The most characters any text field may ask for. */
export const MAX_TEXT_LENGTH = 500_000;
/** The most items of a list or of a relation to many. */
export const MAX_ITEMS = 1_000;
const MAX_JSON_DEPTH = 32;

/** The most characters that the texts of a field have, those of all items of a list together. */
export function longestText({ type, max_length: most }: Pick<Field, 'type' | 'max_length'>): number {
  if (type === 'list') return (most ?? MAX_ITEMS) * DEFAULT_STRING_LENGTH;
  return most ?? LONGEST[type] ?? MAX_TEXT_LENGTH;
}

const LONGEST: Partial<Record<FieldKind, number>> = {
  string: DEFAULT_STRING_LENGTH,
  email: MAX_EMAIL_LENGTH,
  url: MAX_URL_LENGTH,
};

type Rules = Omit<Field, 'key' | 'id' | 'name' | 'type'>;

function text(rules: Rules, fallback: number): JsonSchema {
  const minLength = rules.required ? Math.max(1, rules.min_length ?? 1) : rules.min_length;
  return { type: 'string', minLength, maxLength: rules.max_length ?? fallback, pattern: rules.pattern };
}

function number(type: 'integer' | 'number', { min, max }: Rules): JsonSchema {
  const isInteger = type === 'integer';
  return {
    type,
    minimum: min ?? (isInteger ? Number.MIN_SAFE_INTEGER : undefined),
    maximum: max ?? (isInteger ? Number.MAX_SAFE_INTEGER : undefined),
  };
}

function time(format: 'date' | 'date-time', { min, max }: Rules): JsonSchema {
  return { type: 'string', format, 'x-minimum': min, 'x-maximum': max };
}

function address(format: 'email' | 'uri', maxLength: number, { pattern }: Rules): JsonSchema {
  return { type: 'string', format, maxLength, pattern, ...ONE_LINE };
}

/** Texts that are sorted by. */
export const ONE_LINE = { 'x-no-controls': true };

const KINDS: Readonly<Record<Exclude<FieldKind, 'list' | 'relation'>, (rules: Rules) => JsonSchema>> = {
  string: (rules) => ({ ...text(rules, DEFAULT_STRING_LENGTH), ...ONE_LINE }),
  text: (rules) => text(rules, MAX_TEXT_LENGTH),
  markdown: (rules) => text(rules, MAX_TEXT_LENGTH),
  html: (rules) => text(rules, MAX_TEXT_LENGTH),
  integer: (rules) => number('integer', rules),
  number: (rules) => number('number', rules),
  boolean: () => ({ type: 'boolean' }),
  date: (rules) => time('date', rules),
  datetime: (rules) => time('date-time', rules),
  email: (rules) => address('email', MAX_EMAIL_LENGTH, rules),
  url: (rules) => address('uri', MAX_URL_LENGTH, rules),
  enum: ({ values }) => ({ type: 'string', enum: values }),
  json: () => ({ 'x-max-depth': MAX_JSON_DEPTH }),
};

/** The rules of a list that are about its items and not about their number. */
function itemRules(rules: Rules): Rules {
  return { ...rules, required: false, min_length: undefined, max_length: undefined };
}

function array(items: JsonSchema, { required, min_length: least, max_length: most }: Rules): JsonSchema {
  const minItems = required ? Math.max(1, least ?? 1) : least;
  return compact({ type: 'array', items, minItems, maxItems: most ?? MAX_ITEMS });
}

/** A record that a relation points to: by its id, or with its type, which it takes where there are several. */
function reference(to: readonly string[]): JsonSchema {
  const id = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
  const pair = {
    type: 'object',
    properties: { id, type: { type: 'string', enum: to } },
    required: to.length > 1 ? ['id', 'type'] : ['id'],
    additionalProperties: false,
  };
  return to.length > 1 ? { ...pair, 'x-reference': true } : { anyOf: [id, pair], 'x-reference': true };
}

function scalar(kind: ScalarKind, rules: Rules): JsonSchema {
  return compact(KINDS[kind](rules));
}

/** What a value of a field must be like when it is written. */
export function valueSchema(field: Field): JsonSchema {
  if (field.type === 'list') return array(scalar(field.of ?? 'string', itemRules(field)), field);
  if (field.type !== 'relation') return compact(KINDS[field.type](field));
  const one = reference(field.to ?? []);
  return field.many === true ? array(one, field) : one;
}

/** What a value of a field is like when it is read. */
export function answerSchema(field: Field): JsonSchema {
  if (field.type !== 'relation') return valueSchema(field);
  const one = {
    type: 'object',
    properties: { id: { type: 'integer' }, type: { type: 'string', enum: field.to } },
    required: ['id', 'type'],
  };
  return field.many === true ? { type: 'array', items: one } : one;
}

/** The most items a value may have, for kinds that have items. */
export function maxItems(field: Field): number | undefined {
  const hasItems = field.type === 'list' || field.many === true;
  return hasItems ? (field.max_length ?? MAX_ITEMS) : undefined;
}
