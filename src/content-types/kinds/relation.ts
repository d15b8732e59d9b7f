import type { JsonSchema } from '../../common/schema/json-schema.js';
import { defineKind, taking, type FieldRules } from './kind-definition.js';
import { NUMBERS } from './shared/comparisons.js';
import { arraySchema, MAX_ITEMS } from './shared/schemas.js';

/** A record that a relation points to. */
interface Reference {
  readonly id: number;
  readonly type: string;
}

const takesBoth = taking('to', 'many', 'indexed');
const takesToOne = taking('unique');
const takesToMany = taking('min_length', 'max_length');

/** Records of the types that the field names. */
export const relationKind = defineKind({
  title: ({ many }) => (many === true ? 'relation with many: true' : null),
  isReference: true,
  countsItems: true,
  takes: (rule, shape) => takesBoth(rule, shape) || (shape.many === true ? takesToMany : takesToOne)(rule, shape),
  needs: () => ['to'],
  schema: (rules) => oneOrMany(inputSchema(rules.to ?? []), rules),
  answerSchema: ({ to, many }) => (many === true ? { type: 'array', items: shownSchema(to) } : shownSchema(to)),
  maxItems: ({ many, max_length: most }) => (many === true ? (most ?? MAX_ITEMS) : undefined),
  normalise: (value, rules) => (rules.many === true ? references(value, rules) : reference(value, rules)),
  comparison: () => NUMBERS,
  sample,
  fromCell: idOf,
  fromValue: idOf,
});

function oneOrMany(one: JsonSchema, rules: FieldRules): JsonSchema {
  return rules.many === true ? arraySchema(one, rules) : one;
}

/** A record by its id, or with its type, which it takes where there are several. */
function inputSchema(to: readonly string[]): JsonSchema {
  const id = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
  const pair = {
    type: 'object',
    properties: { id, type: { type: 'string', enum: to } },
    required: to.length > 1 ? ['id', 'type'] : ['id'],
    additionalProperties: false,
  };
  return to.length > 1 ? { ...pair, 'x-reference': true } : { anyOf: [id, pair], 'x-reference': true };
}

function shownSchema(to: FieldRules['to']): JsonSchema {
  return {
    type: 'object',
    properties: { id: { type: 'integer' }, type: { type: 'string', enum: to } },
    required: ['id', 'type'],
  };
}

function reference(value: unknown, { to }: FieldRules): Reference {
  const { id, type } = (typeof value === 'number' ? { id: value } : value) as Partial<Reference> & { id: number };
  return { id, type: type ?? to?.[0] ?? '' };
}

/** The records a relation points to, each once and in the order of the body. */
function references(value: unknown, rules: FieldRules): Reference[] {
  const all = (value as unknown[]).map((item) => reference(item, rules));
  return [...new Map(all.map((one) => [`${one.type} ${one.id}`, one])).values()];
}

function sample({ to = [], many, min_length: least }: FieldRules): unknown {
  const one = to.length === 1 ? 1 : { id: 1, type: to[0] };
  return many === true ? Array.from({ length: Math.max(1, least ?? 1) }, () => one) : one;
}

function idOf(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
}
