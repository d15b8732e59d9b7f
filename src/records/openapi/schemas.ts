import type { OpenAPIV3_1 } from 'openapi-types';
import { schemaRef } from '../../common/openapi/describe.js';
import type { CompiledType, Field } from '../../content-types/content-type.js';
import type { JsonSchema } from '../../common/schema/json-schema.js';
import { recordInputSchema, recordSchema } from '../../content-types/record-schema.js';
import type { ApiNames } from './names.js';

type Schemas = Record<string, OpenAPIV3_1.SchemaObject>;

const TIME = '2026-03-14T09:26:53.589Z';

/** What built-in parts look like; nothing else says as much in as little space. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  id: 4211,
  title: 'Hello world',
  slug: 'hello-world',
  body: '# Hello\n\nThis is the first post.',
  status: 'published',
  locale: 'en',
  url: 'https://www.example.org/post/hello-world',
  version: 7,
  published_at: TIME,
  created_at: TIME,
  updated_at: TIME,
};

/** Schemas that the records of all types share. */
export const SHARED_SCHEMAS: Schemas = {
  RecordReference: {
    type: 'object',
    description: 'A pointer to a record; `expand` puts the record in its place.',
    required: ['id', 'type'],
    additionalProperties: false,
    properties: { id: { type: 'integer' }, type: { type: 'string' } },
  },
  TermReference: {
    type: 'object',
    description: 'A term that a record is filed under.',
    required: ['id', 'slug', 'name'],
    additionalProperties: false,
    properties: { id: { type: 'integer' }, slug: { type: 'string' }, name: { type: 'string' } },
  },
  Actor: {
    type: 'object',
    description: 'Who wrote a record.',
    required: ['kind', 'id', 'name'],
    additionalProperties: false,
    properties: {
      kind: { type: 'string', enum: ['user', 'token'] },
      id: { type: ['integer', 'null'], description: '`null` for a token from the configuration.' },
      name: { type: 'string' },
    },
  },
};

/** The schemas of one type: a record, a part of one, and the bodies that create and change one. */
export function typeSchemas(type: CompiledType, all: ReadonlyMap<string, ApiNames>): Schemas {
  const names = all.get(type.name);
  if (!names) return {};
  const properties = answerProperties(type, all);
  return {
    [names.record]: { allOf: [schemaRef(names.part)], required: Object.keys(properties) },
    [names.part]: documented({ ...recordSchema(type), properties, additionalProperties: false }),
    [names.create]: documented(inputSchema(type, 'create')),
    [names.update]: documented(inputSchema(type, 'update')),
  };
}

/** Keys of a record of a type, in the order in which answers have them. */
export function recordKeys(type: CompiledType): string[] {
  return Object.keys(recordSchema(type).properties as object);
}

function answerProperties(type: CompiledType, all: ReadonlyMap<string, ApiNames>): Record<string, unknown> {
  const relations = type.fields.filter((field) => field.type === 'relation');
  return {
    ...withExamples(recordSchema(type).properties as Record<string, JsonSchema>),
    ...Object.fromEntries(relations.map((field) => [field.name, relation(field, all)])),
    terms: terms(type),
    created_by: schemaRef('Actor'),
    updated_by: schemaRef('Actor'),
  };
}

function inputSchema(type: CompiledType, purpose: 'create' | 'update'): JsonSchema {
  const schema = recordInputSchema(type, purpose);
  return { ...schema, properties: withExamples(schema.properties as Record<string, JsonSchema>) };
}

function withExamples(properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      name in EXAMPLES ? { ...schema, examples: [EXAMPLES[name]] } : schema,
    ]),
  );
}

/** A reference, or with `expand` the record that it points to. */
function relation({ label, description, to = [], many }: Field, all: ReadonlyMap<string, ApiNames>): JsonSchema {
  const targets = to.flatMap((name) => all.get(name)?.record ?? []).map(schemaRef);
  const one = { anyOf: [schemaRef('RecordReference'), ...targets] };
  return {
    title: label,
    ...(description === undefined ? {} : { description }),
    ...(many === true ? { type: ['array', 'null'], items: one } : { anyOf: [...one.anyOf, { type: 'null' }] }),
  };
}

function terms({ taxonomies }: CompiledType): OpenAPIV3_1.SchemaObject {
  return {
    type: 'object',
    description: 'The terms of each taxonomy of the type.',
    required: [...taxonomies],
    additionalProperties: false,
    properties: Object.fromEntries(
      taxonomies.map((taxonomy) => [taxonomy, { type: 'array', items: schemaRef('TermReference') }]),
    ),
  };
}

/**
 * A schema as readers of the document understand it: without our own keywords,
 * and without patterns that only RE2 knows, since JSON Schema has those of ECMAScript.
 */
function documented(schema: JsonSchema): OpenAPIV3_1.SchemaObject {
  const entries = Object.entries(schema).filter(
    ([key, value]) => !key.startsWith('x-') && !isForeignPattern(key, value),
  );
  return Object.fromEntries(
    entries.map(([key, value]) => [key, key === 'properties' ? mapped(value) : nested(key, value)]),
  );
}

/** Names of properties are no keywords. */
function mapped(properties: unknown): unknown {
  return Object.fromEntries(
    Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => [name, documented(schema)]),
  );
}

const DATA_KEYWORDS = new Set(['default', 'examples', 'enum', 'const']);

function nested(key: string, value: unknown): unknown {
  if (DATA_KEYWORDS.has(key) || typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return documented(value as JsonSchema);
  return value.map((item: unknown) => nested('', item));
}

function isForeignPattern(key: string, value: unknown): boolean {
  if (key !== 'pattern' || typeof value !== 'string') return false;
  try {
    return !new RegExp(value, 'u');
  } catch {
    return true;
  }
}
