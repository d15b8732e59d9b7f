import { MAX_SLUG_LENGTH, SLUG_PATTERN } from '../../common/text/slug.js';
import { STATUSES, type Purpose, type TypeDefinition } from './content-type.js';
import { kindOf } from '../kinds/kinds.js';
import { MAX_TEXT_LENGTH } from '../kinds/shared/schemas.js';
import { compact, nullable, type JsonSchema, type ObjectSchema } from '../../common/schema/json-schema.js';

const LOCALE_PATTERN = '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$';

const TIME: JsonSchema = { type: 'string', format: 'date-time' };

const TITLE: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  'x-not-blank': true,
  'x-no-controls': true,
  title: 'Title',
};
const SLUG: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_SLUG_LENGTH,
  pattern: SLUG_PATTERN,
  title: 'Slug',
  description:
    'Names the record in addresses. Unique in the type, and for each locale if the `url_path` of the type tells them apart; made from the title when left out.',
};
const BODY: JsonSchema = { type: ['string', 'null'], maxLength: 2 * MAX_TEXT_LENGTH, title: 'Body' };
const STATUS: JsonSchema = { type: 'string', enum: STATUSES, title: 'Status' };
const LOCALE: JsonSchema = {
  type: 'string',
  pattern: LOCALE_PATTERN,
  maxLength: 12,
  title: 'Locale',
  description: 'A language as BCP 47 names it, kept in its canonical form: `pt-br` becomes `pt-BR`.',
};
const PUBLISHED_AT: JsonSchema = { ...nullable(TIME), title: 'Published at' };

/** Built-in parts of a record that a client writes. */
const BUILT_IN = { title: TITLE, slug: SLUG, body: BODY, status: STATUS, locale: LOCALE, published_at: PUBLISHED_AT };

/** Terms of one taxonomy that a record can hold. */
export const MAX_TERMS = 100;

/** Terms by taxonomy, each as its id or its slug; `null` takes all of them away. */
function termsInput({ taxonomies }: TypeDefinition): JsonSchema {
  const term: JsonSchema = { type: ['integer', 'string'], minimum: 1, minLength: 1, maxLength: 255 };
  const terms: JsonSchema = { type: ['array', 'null'], maxItems: MAX_TERMS, items: term };
  return {
    type: ['object', 'null'],
    title: 'Terms',
    description: 'Terms by taxonomy, each by id or slug. Taxonomies that are not named stay as they are.',
    properties: Object.fromEntries(taxonomies.map((taxonomy) => [taxonomy, terms])),
    additionalProperties: false,
  };
}

/** Rules that a value of a working copy may break: they are asked when it is published. */
const PUBLIC_RULES: ReadonlySet<string> = new Set(
  'minimum maximum x-minimum x-maximum minLength minItems pattern format enum uniqueItems x-not-blank'.split(' '),
);

/** The schema of a value that is of the kind and size of its field, and may be unfinished otherwise. */
function unfinished(schema: JsonSchema): JsonSchema {
  if ('x-reference' in schema) return schema;
  const rules = Object.entries(schema).filter(([key]) => !PUBLIC_RULES.has(key));
  return Object.fromEntries(rules.map(([key, rule]) => [key, key === 'items' ? unfinished(rule as JsonSchema) : rule]));
}

/** JSON Schema of the body that changes a working copy. */
function draftSchema(type: TypeDefinition): ObjectSchema {
  const own = type.fields.map((field) => {
    const schema = unfinished(described(kindOf(field.type).schema(field), field));
    return [field.name, nullable(schema)] as const;
  });
  return {
    type: 'object',
    title: `${type.label} (working copy)`,
    properties: {
      title: unfinished(TITLE),
      slug: unfinished(SLUG),
      body: BODY,
      ...Object.fromEntries(own),
      terms: termsInput(type),
    },
    additionalProperties: false,
  };
}

/** JSON Schema of the body that creates or changes a record of a type, or its working copy. Changes need not name what stays. */
export function recordInputSchema(type: TypeDefinition, purpose: Purpose): ObjectSchema {
  if (purpose === 'draft') return draftSchema(type);
  const isCreate = purpose === 'create';
  const required = type.fields.filter((field) => field.required && field.default === undefined);
  const own = type.fields.map((field) => {
    const schema = {
      ...described(kindOf(field.type).schema(field), field),
      ...compact({ default: isCreate ? field.default : undefined }),
    };
    return [field.name, field.required ? schema : nullable(schema)] as const;
  });
  return {
    type: 'object',
    title: `${type.label} (${isCreate ? 'new' : 'changes'})`,
    properties: {
      ...BUILT_IN,
      ...(isCreate ? { slug: nullable(SLUG) } : {}),
      ...Object.fromEntries(own),
      terms: termsInput(type),
    },
    ...(isCreate ? { required: ['title', ...required.map(({ name }) => name)] } : {}),
    additionalProperties: false,
  };
}

const ACTOR: JsonSchema = {
  type: 'object',
  properties: {
    kind: { type: 'string', enum: ['user', 'token'] },
    id: { type: ['integer', 'null'] },
    name: { type: 'string' },
  },
  required: ['kind', 'id', 'name'],
};

/**
 * JSON Schema of a record of a type as the API answers it. Nothing is required: `fields` may ask for a part only.
 *
 * @param form `draft`: as its working copy would make it
 */
export function recordSchema(type: TypeDefinition, form: 'record' | 'draft' = 'record'): JsonSchema {
  const formed = form === 'draft' ? unfinished : (schema: JsonSchema) => schema;
  const own = type.fields.map(
    (field) => [field.name, nullable(described(formed(kindOf(field.type).answerSchema(field)), field))] as const,
  );
  return {
    type: 'object',
    title: type.label,
    ...(type.description === '' ? {} : { description: type.description }),
    properties: {
      id: { type: 'integer' },
      type: { type: 'string', const: type.name },
      ...BUILT_IN,
      title: formed(TITLE),
      slug: { type: 'string' },
      ...Object.fromEntries(own),
      terms: { type: 'object' },
      url: { type: ['string', 'null'] },
      version: { type: 'integer', minimum: 1 },
      created_at: TIME,
      updated_at: TIME,
      created_by: nullable(ACTOR),
      updated_by: nullable(ACTOR),
    },
  };
}

function described(schema: JsonSchema, { label, description }: { label: string; description?: string }): JsonSchema {
  return compact({ ...schema, title: label, description });
}
