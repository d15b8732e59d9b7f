import type { OpenAPIV3_1 } from 'openapi-types';
import { listed, objectOf, schemaRef } from '../../common/openapi/describe.js';
import type { CompiledType, Purpose } from '../../content-types/definition/content-type.js';
import { isReference, type Field } from '../../content-types/kinds/field.js';
import type { Schemas } from '../../common/openapi/openapi.registry.js';
import { nullable, type JsonSchema } from '../../common/schema/json-schema.js';
import { recordInputSchema, recordSchema } from '../../content-types/definition/record-schema.js';
import { CONTENT_TYPE_NAME } from '../../common/openapi/shared-components.js';
import type { TypeNames } from '../../common/openapi/type-names.js';
import { FILTER_SCHEMAS } from './parameters.js';

const INTEGER = { type: 'integer' } as const;
const STRING = { type: 'string' } as const;
const TIME = '2026-03-14T09:26:53.589Z';

/** Examples of built-in parts; nothing else says as much in as little space. */
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
  RecordReference: objectOf(
    { id: INTEGER, type: CONTENT_TYPE_NAME },
    { description: 'A pointer to a record; `expand` puts the record in its place.' },
  ),
  TermReference: objectOf(
    { id: INTEGER, slug: STRING, name: STRING },
    { description: 'A term that a record is filed under.' },
  ),
  Actor: objectOf(
    {
      kind: { type: 'string', enum: ['user', 'token'] },
      id: { type: ['integer', 'null'], description: '`null` for a token from the configuration.' },
      name: STRING,
    },
    { description: 'Who wrote a record.' },
  ),
  DraftFaults: objectOf(
    { faults: { type: 'array', description: 'What keeps it from being public.', items: schemaRef('Fault') } },
    { description: 'Stands beside a draft that is read and could not be published as it is.' },
  ),
  Skipped: {
    type: 'array',
    description:
      'What a record came back out of the trash without. `value_taken`: another record has the value by now. `required`: it is a draft, since it lacks what is required of public records.',
    items: objectOf({ field: STRING, reason: { type: 'string', enum: ['value_taken', 'required'] } }),
  },
  RestoreMeta: objectOf(
    { restore: objectOf({ skipped: schemaRef('Skipped') }) },
    { description: 'What became of it.' },
  ),
  ...FILTER_SCHEMAS,
};

/** A record of one type, and the bodies that create and change one. */
export function* fieldSchemas(
  type: CompiledType,
  names: TypeNames,
  all: ReadonlyMap<string, TypeNames>,
): Generator<Schemas> {
  yield { [names.record]: answerSchema(type, all) };
  yield { [names.create]: inputSchema(type, 'create') };
  yield { [names.update]: inputSchema(type, 'update') };
}

/** Answers with one record of a type, or several. */
export function answerSchemas(names: TypeNames): Schemas {
  return {
    [names.answer]: objectOf({ data: schemaRef(names.record), meta: schemaRef('DraftFaults') }, { required: ['data'] }),
    [names.restored]: objectOf(
      { data: schemaRef(names.record), meta: schemaRef('RestoreMeta') },
      { description: 'A record out of the trash.' },
    ),
    [names.list]: listed(schemaRef(names.record)),
  };
}

/** A record of a type as it is answered. @param form `draft`: as its working copy would make it */
export function answerSchema(
  type: CompiledType,
  all: ReadonlyMap<string, TypeNames>,
  form: 'record' | 'draft' = 'record',
): OpenAPIV3_1.SchemaObject {
  const schema = recordSchema(type, form);
  const relations = type.fields.filter(isReference);
  const properties = {
    ...withExamples(schema.properties as Record<string, JsonSchema>),
    ...Object.fromEntries(relations.map((field) => [field.name, relation(field, all)])),
    terms: terms(type),
    created_by: schemaRef('Actor'),
    updated_by: schemaRef('Actor'),
  };
  // A JSON Schema, which is what OpenAPI 3.1 takes.
  return { ...schema, properties, required: Object.keys(properties), additionalProperties: false };
}

/** A body that creates or changes a record of a type, or its working copy. */
export function inputSchema(type: CompiledType, purpose: Purpose): OpenAPIV3_1.SchemaObject {
  const { required, ...schema } = recordInputSchema(type, purpose);
  const properties = { ...schema.properties, ...lenient(type, schema.properties) };
  return {
    ...schema,
    properties: withExamples(properties),
    ...(required === undefined ? {} : { required: ['title'] }),
  };
}

/** The fields that are required of public records: a draft may do without. */
function lenient(
  { fields }: CompiledType,
  properties: Readonly<Record<string, JsonSchema>>,
): Record<string, JsonSchema> {
  const required = fields.flatMap(({ name, required: isRequired }) => {
    const schema = isRequired ? properties[name] : undefined;
    return schema === undefined ? [] : [[name, nullable(withNote(schema))] as const];
  });
  return Object.fromEntries(required);
}

function withNote(schema: JsonSchema): JsonSchema {
  const own = typeof schema.description === 'string' ? `${schema.description} ` : '';
  return { ...schema, description: `${own}Required of what is published.` };
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
function relation({ label, description, to = [], many }: Field, all: ReadonlyMap<string, TypeNames>): JsonSchema {
  const targets = to.flatMap((name) => all.get(name)?.record ?? []).map(schemaRef);
  const one = { anyOf: [schemaRef('RecordReference'), ...targets] };
  return {
    title: label,
    ...(description === undefined ? {} : { description }),
    ...(many === true ? { type: ['array', 'null'], items: one } : { anyOf: [...one.anyOf, { type: 'null' }] }),
  };
}

function terms({ taxonomies }: CompiledType): OpenAPIV3_1.SchemaObject {
  const lists = taxonomies.map((taxonomy) => [taxonomy, { type: 'array', items: schemaRef('TermReference') }] as const);
  return objectOf(Object.fromEntries(lists), { description: 'The terms of each taxonomy of the type.' });
}
