import type { OpenAPIV3_1 } from 'openapi-types';
import { STATUSES } from './definition/content-type.js';
import { FIELD_INPUT, typeInput } from './definition/definition-schema.js';
import type { JsonSchema } from '../common/schema/json-schema.js';

const TIME: JsonSchema = { type: 'string', format: 'date-time' };
const COUNT: JsonSchema = { type: 'integer', minimum: 0 };
const FIELD_REF: JsonSchema = { $ref: '#/components/schemas/FieldInput' };

const FIELD: JsonSchema = {
  ...FIELD_INPUT,
  description: 'One field of a content type.',
  properties: {
    ...(FIELD_INPUT.properties as object),
    building: { type: 'boolean', description: 'Its index is being filled: it cannot be filtered or sorted by yet.' },
  },
  required: ['id', 'name', 'type', 'label', 'required', 'unique', 'indexed', 'searchable'],
};

function contentType(): JsonSchema {
  const { properties } = typeInput('create', { $ref: '#/components/schemas/Field' });
  const own = properties;
  return {
    type: 'object',
    description: 'A content type: which fields its records have, and how they are treated.',
    properties: {
      ...own,
      counts: {
        type: 'object',
        description: 'Records by status, as far as the caller may see them.',
        properties: Object.fromEntries(STATUSES.map((status) => [status, COUNT])),
        additionalProperties: false,
      },
      version: { type: 'integer', minimum: 1 },
      created_at: TIME,
      updated_at: TIME,
    },
    required: [...Object.keys(own), 'version', 'created_at', 'updated_at'],
    additionalProperties: false,
  };
}

const LIST: JsonSchema = {
  type: 'object',
  required: ['data', 'meta'],
  additionalProperties: false,
  properties: {
    data: { type: 'array', items: { $ref: '#/components/schemas/ContentType' } },
    meta: {
      type: 'object',
      description: 'All types are on one page.',
      required: ['total', 'per_page', 'current_page', 'last_page'],
      additionalProperties: false,
      properties: {
        total: COUNT,
        per_page: { type: 'integer', minimum: 1 },
        current_page: { const: 1 },
        last_page: { const: 1 },
      },
    },
  },
};

/** Schemas of content types, by the names that the description of the API gives them. */
export const contentTypeSchemas = {
  ContentType: contentType(),
  ContentTypeList: LIST,
  ContentTypeInput: { ...typeInput('create', FIELD_REF), description: 'A content type that is to be created.' },
  ContentTypeChange: { ...typeInput('update', FIELD_REF), description: 'The parts to change; the rest stays.' },
  Field: FIELD,
  FieldInput: FIELD_INPUT,
} as Readonly<Record<string, OpenAPIV3_1.SchemaObject>>; // JSON Schemas, which is what OpenAPI 3.1 takes
